/**
 * A gold file and the files that it includes, as a suite. The format is described in
 * eval/README.md.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ContextEngineError } from '../../src/index.ts';
import { readYaml } from '../read-yaml.ts';
import type { EvalQuestion, EvalStore, EvalSuite } from '../suite.ts';
import { chunksNamed, type DocumentFiles, pathOfEntry } from './documents.ts';
import type { Fields, Place } from './fields.ts';
import {
  dataError,
  entriesOf,
  fieldsOf,
  listOf,
  optionalText,
  textsOf,
  timeOf,
  valuesOf,
} from './fields.ts';
import { readQuestions } from './questions.ts';
import type { StorePart } from './stores.ts';
import { joinStores, readStores } from './stores.ts';

export interface GoldSet {
  readonly suite: EvalSuite;
  /** As the file names it. */
  readonly manifest: string | undefined;
  readonly collections: readonly string[];
}

const KEYS = [
  'gold',
  'name',
  'now',
  'manifest',
  'collections',
  'inputs',
  'include',
  'stores',
  'questions',
];

const NO_DOCUMENTS: DocumentFiles = new Map();

/**
 * Reads and checks everything; `documents` holds what {@link goldDocuments} names. Throws
 * `EVAL.DATA` with file and field.
 */
export function readGold(path: string, documents: DocumentFiles = NO_DOCUMENTS): GoldSet {
  const digest = createHash('sha256');
  const files = partsOf(path, digest);
  const main = files[0].fields;
  const place: Place = { file: path, at: '' };
  const folder = dirname(path);
  const now = timeOf(main, 'now', place);
  if (now === undefined)
    throw dataError(
      'The gold file has no `now`.',
      'Add the time at which the questions are asked.',
      place,
    );
  if (documents.size > 0) digest.update(JSON.stringify([...documents]));
  const parts = files.flatMap(({ file, fields }): readonly StorePart[] =>
    readStores(fields['stores'], { file, at: 'stores' }, documents),
  );
  const stores = joinStores(parts, { now, place });
  const asked = files.flatMap(({ file, fields }) =>
    readQuestions(fields['questions'], { file, at: 'questions' }),
  );
  const questions = asked.map((question) => withChunks(question, stores, place));
  checkReferences(stores, questions, place);
  const collections = textsOf(main['collections'], { file: path, at: 'collections' }).map((name) =>
    resolve(folder, name),
  );
  for (const file of collections) digest.update(readText(file));
  const manifest = optionalText(main, 'manifest', place);
  return {
    suite: {
      name: optionalText(main, 'name', place) ?? 'gold',
      dataSha256: digest.digest('hex'),
      inputs: valuesOf(main['inputs'], { file: path, at: 'inputs' }),
      stores,
      questions,
      skipped: [],
    },
    manifest: manifest === undefined ? undefined : resolve(folder, manifest),
    collections,
  };
}

interface Part {
  readonly file: string;
  readonly fields: Fields;
}

/** The file, then those that it includes. */
function partsOf(
  path: string,
  digest: { update(text: string): unknown },
): readonly [Part, ...Part[]] {
  const main = readPart(path, digest);
  const included = textsOf(main['include'], { file: path, at: 'include' }).map((name) => {
    const file = resolve(dirname(path), name);
    return { file, fields: readPart(file, digest) };
  });
  return [{ file: path, fields: main }, ...included];
}

/** Where a document is, and how the gold file writes it. */
export interface GoldDocument {
  readonly path: string;
  readonly shown: string;
}

/** The documents that the stores of a gold file point at, each once. Throws `EVAL.DATA`. */
export function goldDocuments(path: string): readonly GoldDocument[] {
  const found = new Map<string, GoldDocument>();
  for (const { file, fields } of partsOf(path, { update: () => undefined }))
    for (const [key, store] of entriesOf(fields['stores'], { file, at: 'stores' })) {
      const at = { file, at: `stores.${key}.documents` };
      const entries = new Map(entriesOf(store, { file, at: `stores.${key}` }));
      for (const entry of listOf(entries.get('documents'), at)) {
        const shown = pathOfEntry(entry, at);
        found.set(shown, { path: resolve(dirname(file), shown), shown });
      }
    }
  return [...found.values()];
}

/** Of evidence in documents any chunk is enough, so it does not stand beside keys. */
function withChunks(
  question: EvalQuestion,
  stores: readonly EvalStore[],
  place: Place,
): EvalQuestion {
  const at = { file: place.file, at: `question ${question.id}` };
  const turns = stores.flatMap((store) => store.turns);
  const keys = new Set(turns.map(({ key }) => key));
  const named = question.evidence.map((each) =>
    keys.has(each) ? null : chunksNamed(each, turns, at),
  );
  const chunks = named.flatMap((each) => each ?? []);
  if (chunks.length === 0) return question;
  if (named.includes(null))
    throw dataError(
      `\`${question.id}\` names documents and keys.`,
      'Ask two questions: of documents any chunk that is named is enough, of keys all are wanted.',
      at,
    );
  return { ...question, evidence: [...new Set(chunks)], isAnyEnough: true };
}

function readPart(path: string, digest: { update(text: string): unknown }): Fields {
  const text = readText(path);
  digest.update(text);
  const fields = fieldsOf(readYaml(text, path), KEYS, { file: path, at: '' });
  if (fields['gold'] !== undefined && fields['gold'] !== 'v1')
    throw dataError(`\`gold\` is \`${String(fields['gold'])}\`.`, 'Write `gold: v1`.', {
      file: path,
      at: 'gold',
    });
  return fields;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${path}\` cannot be read.`,
      fix: 'Correct the path; one that a gold file names is relative to that file.',
      where: { file: path },
      cause,
    });
  }
}

function checkReferences(
  stores: readonly EvalStore[],
  questions: readonly EvalQuestion[],
  place: Place,
): void {
  const keys = new Map<string, number>();
  for (const store of stores)
    for (const { key } of [...store.turns, ...store.facts, ...store.typed])
      keys.set(key, (keys.get(key) ?? 0) + 1);
  const twice = [...keys].find(([, count]) => count > 1)?.[0];
  if (twice !== undefined)
    throw dataError(
      `The key \`${twice}\` is given twice.`,
      'Give every item a key of its own.',
      place,
    );
  const ids = new Set<string>();
  for (const question of questions) {
    const at = { file: place.file, at: `question ${question.id}` };
    if (ids.has(question.id))
      throw dataError(
        `The question \`${question.id}\` is there twice.`,
        'Give every question an id of its own.',
        at,
      );
    ids.add(question.id);
    if (!stores.some((store) => store.key === question.store))
      throw dataError(
        `\`${question.id}\` is asked of \`${question.store}\`, which is not there.`,
        `Use ${stores.map((store) => store.key).join(', ')}.`,
        at,
      );
    const missing = [...question.evidence, ...(question.rivals ?? [])].find(
      (key) => !keys.has(key),
    );
    if (missing !== undefined)
      throw dataError(
        `\`${question.id}\` names \`${missing}\`, which no store holds.`,
        'Name keys of turns, blocks, facts or typed values.',
        at,
      );
  }
  if (questions.length === 0) throw dataError('There are no questions.', 'Add `questions`.', place);
}
