/** Facts and typed values in one JSON file: `{ "facts": [ … ], "typed": [ … ] }`. */
import type { FactInput, TypedOptions } from '../model/write-input.ts';
import type { InputPlace } from './input-error.ts';
import { assertStorable, assertStorableJson, inputError } from './input-error.ts';
import type { FactRecord, Source, SourceFile, TypedRecord } from './record.ts';
import { timeOf } from './turns.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a JSON value is a file of facts. */
export const isFactFile = (value: unknown): value is Fields =>
  isFields(value) && (Array.isArray(value['facts']) || Array.isArray(value['typed']));

const FILE_KEYS = ['facts', 'typed', 'title', '$schema'];
const FACT_KEYS = [
  'content',
  'subject',
  'category',
  'class',
  'importance',
  'confidence',
  'tags',
  'metadata',
  'provenance',
  'valid_from',
  'valid_until',
];
const TYPED_KEYS = [
  'subject',
  'collection',
  'property',
  'value',
  'valid_from',
  'valid_until',
  'confidence',
  'correction',
  'provenance',
];

/** Checks the file as a whole. Throws `CLI.INPUT` naming the entry. */
export function openFacts(value: unknown, file: SourceFile): readonly Source[] {
  const where = { file: file.shown };
  if (!isFactFile(value))
    throw inputError(
      'The file has neither `facts` nor `typed`.',
      'Write `{ "facts": [ { "content": … } ], "typed": [ … ] }`.',
      where,
    );
  refuseUnknown(value, FILE_KEYS, where);
  const facts = listOf(value, 'facts', where).map((entry, index) =>
    toFact(entry, { ...where, field: `facts[${index}]` }),
  );
  const typed = listOf(value, 'typed', where).map((entry, index) =>
    toTyped(entry, { ...where, field: `typed[${index}]` }),
  );
  if (facts.length + typed.length === 0)
    throw inputError('The file holds no fact and no typed value.', 'Add at least one.', where);
  async function* records(): AsyncGenerator<FactRecord | TypedRecord> {
    yield* facts;
    yield* typed;
  }
  return [
    {
      name: file.name,
      title: typeof value['title'] === 'string' ? value['title'] : file.name,
      records,
    },
  ];
}

function listOf(value: Fields, key: string, where: InputPlace): readonly unknown[] {
  const list = value[key] ?? [];
  if (!Array.isArray(list))
    throw inputError(`\`${key}\` is not a list.`, `Write \`${key}\` as \`[ … ]\`.`, {
      ...where,
      field: key,
    });
  return list;
}

function refuseUnknown(value: Fields, known: readonly string[], where: InputPlace): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw inputError(`Unknown key \`${unknown}\`.`, `Use ${known.join(', ')}.`, where);
}

function toFact(value: unknown, where: InputPlace): FactRecord {
  if (!isFields(value) || typeof value['content'] !== 'string' || value['content'].trim() === '')
    throw inputError('The fact has no `content`.', 'Give every fact a text as `content`.', where);
  refuseUnknown(value, FACT_KEYS, where);
  assertStorable(value['content'], where);
  assertStorableJson(value, where);
  const times = { ...timeFields(value, where) };
  return {
    kind: 'fact',
    fact: { ...value, content: value['content'], ...times } satisfies FactInput,
  };
}

function toTyped(value: unknown, where: InputPlace): TypedRecord {
  if (!isFields(value))
    throw inputError(
      'The typed value is not an object.',
      'Write `{ "subject", "collection", "property", "value" }`.',
      where,
    );
  refuseUnknown(value, TYPED_KEYS, where);
  const { subject, collection, property, value: typed, ...rest } = value;
  if (
    typeof subject !== 'string' ||
    typeof collection !== 'string' ||
    typeof property !== 'string' ||
    typed === undefined
  ) {
    throw inputError(
      'The typed value lacks one of `subject`, `collection`, `property`, `value`.',
      'Give it all four.',
      where,
    );
  }
  assertStorableJson(value, where);
  return {
    kind: 'typed',
    subject,
    collection,
    property,
    value: typed,
    options: { ...rest, ...timeFields(value, where) } satisfies TypedOptions,
  };
}

/** `valid_from` and `valid_until` where they are, checked. */
function timeFields(
  value: Fields,
  where: InputPlace,
): { valid_from?: string; valid_until?: string } {
  const from = timeOf({ valid_from: value['valid_from'] }, where);
  const until = timeOf({ valid_until: value['valid_until'] }, where);
  return {
    ...(from === null ? {} : { valid_from: from }),
    ...(until === null ? {} : { valid_until: until }),
  };
}
