/**
 * Documents and sources of two packages that the repository depends on at exact versions, cut by
 * the chunker of `ingest`, and questions about them: prose, descriptions of an interface, code, and
 * identifiers as people type them. `data/documents/questions.tsv`: category, file, words (several
 * with `||` between them) that a chunk which answers it holds, question. Of an identifier it is a
 * chunk that names it, in the file that defines it.
 */
import { createHash } from 'node:crypto';
import { ContextEngineError } from '../../src/index.ts';
import type { EvalQuestion, EvalSuite, KeyedTurn } from '../suite.ts';

/** A file as `ingest` cuts it. */
export interface ChunkedFile {
  readonly path: string;
  readonly title: string;
  readonly chunks: readonly { readonly text: string; readonly heading: string | null }[];
}

const WRITTEN = '2026-01-05T09:00:00Z';
const NOW = '2026-01-06T09:00:00Z';
const STORE = 'library';

/** Throws `EVAL.DATA` where a question's words stand in no chunk. */
export function documentsSuite(
  files: readonly ChunkedFile[],
  { scopeType, questions: text }: { readonly scopeType: string; readonly questions: string },
): EvalSuite {
  const turns = files.flatMap(({ path, title, chunks }) =>
    chunks.map(
      ({ text: content, heading }, index): KeyedTurn => ({
        key: `${path}#${index + 1}`,
        content,
        block_type: 'chunk',
        title,
        occurred_at: WRITTEN,
        metadata: { path, ...(heading !== null && { heading }) },
      }),
    ),
  );
  const questions = text
    .trimEnd()
    .split('\n')
    .map((line, index) => toQuestion(line.split('\t'), { id: `q${index + 1}`, turns, index }));
  return {
    name: 'documents',
    dataSha256: createHash('sha256')
      .update(JSON.stringify([files, text]))
      .digest('hex'),
    stores: [
      {
        key: STORE,
        scopeType,
        title: 'Packages',
        inherits: [],
        now: NOW,
        turns,
        facts: [],
        typed: [],
      },
    ],
    questions,
    skipped: [],
  };
}

interface Place {
  readonly id: string;
  readonly turns: readonly KeyedTurn[];
  readonly index: number;
}

function toQuestion(
  [category = '', file = '', anchor = '', query = '']: readonly string[],
  { id, turns, index }: Place,
): EvalQuestion {
  const anchors = anchor.split(' || ');
  const evidence = turns.flatMap(({ key, content }) =>
    key.startsWith(`${file}#`) && anchors.some((words) => content.includes(words)) ? [key] : [],
  );
  if (evidence.length === 0 || query === '')
    throw new ContextEngineError('EVAL.DATA', {
      message: `Question \`${id}\`: no chunk of \`${file}\` holds \`${anchor}\`.`,
      fix: 'Install the versions of package-lock.json, or correct the line.',
      where: { field: id, line: index + 1 },
    });
  return {
    id,
    category,
    store: STORE,
    query,
    layer: 'semantic',
    evidence,
    isAnyEnough: true,
    intent: 'fact',
    side: index % 2 === 0 ? 'dev' : 'held_out',
  };
}
