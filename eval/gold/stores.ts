/** The stores of a gold file: conversations, blocks, facts and typed values, each with its key. */
import type { EvalStore, KeyedFact, KeyedTurn, KeyedTyped } from '../suite.ts';
import { type DocumentFiles, documentTurns } from './documents.ts';
import type { Place } from './fields.ts';
import {
  dataError,
  entriesOf,
  fieldsOf,
  listOf,
  optionalNumber,
  optionalText,
  present,
  textOf,
  textsOf,
  timeOf,
  timesOf,
  under,
} from './fields.ts';

/** A store as one file has it: several files may add to one store. */
export interface StorePart {
  readonly key: string;
  readonly scopeType: string | undefined;
  readonly title: string | undefined;
  readonly inherits: readonly string[];
  readonly turns: readonly KeyedTurn[];
  readonly facts: readonly KeyedFact[];
  readonly typed: readonly KeyedTyped[];
}

const STORE_KEYS = [
  'scope_type',
  'title',
  'inherits',
  'documents',
  'conversations',
  'blocks',
  'facts',
  'typed',
];
const MINUTE_MS = 60_000;

export function readStores(
  value: unknown,
  place: Place,
  files: DocumentFiles,
): readonly StorePart[] {
  return entriesOf(value, place).map(([key, raw]) => {
    const at = under(place, key);
    const store = fieldsOf(raw, STORE_KEYS, at);
    const each = <T>(name: string, read: (entry: unknown, place: Place) => T): T[] =>
      listOf(store[name], under(at, name)).map((entry, index) =>
        read(entry, under(under(at, name), index)),
      );
    return {
      key,
      scopeType: optionalText(store, 'scope_type', at),
      title: optionalText(store, 'title', at),
      inherits: textsOf(store['inherits'], under(at, 'inherits')),
      turns: [
        ...each('documents', (entry, at) => documentTurns(entry, at, files)).flat(),
        ...each('conversations', readConversation).flat(),
        ...each('blocks', readBlock),
      ],
      facts: each('facts', readFact),
      typed: each('typed', readTyped),
    };
  });
}

/** `Author: words`, a minute apart; keys are the conversation's key and the number of the turn. */
function readConversation(value: unknown, place: Place): readonly KeyedTurn[] {
  const fields = fieldsOf(value, ['key', 'at', 'turns'], place);
  const key = textOf(fields, 'key', place);
  const begins = timeOf(fields, 'at', place);
  if (begins === undefined)
    throw dataError(`The conversation \`${key}\` has no \`at\`.`, 'Add when it began.', place);
  return listOf(fields['turns'], under(place, 'turns')).map((turn, index) => {
    const at = under(under(place, 'turns'), index);
    const [entry, ...more] = entriesOf(turn, at);
    if (!entry || more.length > 0 || typeof entry[1] !== 'string')
      throw dataError(
        `\`${at.at}\` is not one \`Author: words\`.`,
        'Write `- Mira: "what she said"`.',
        at,
      );
    const [author, content] = entry;
    return {
      key: `${key}/${index + 1}`,
      content,
      author,
      role: author === 'assistant' ? 'assistant' : 'user',
      occurred_at: new Date(Date.parse(begins) + index * MINUTE_MS).toISOString(),
      metadata: { conversation: key },
    };
  });
}

function readBlock(value: unknown, place: Place): KeyedTurn {
  const fields = fieldsOf(
    value,
    ['key', 'type', 'title', 'at', 'author', 'role', 'tags', 'text'],
    place,
  );
  return present({
    key: textOf(fields, 'key', place),
    content: textOf(fields, 'text', place).trim(),
    block_type: optionalText(fields, 'type', place),
    title: optionalText(fields, 'title', place),
    author: optionalText(fields, 'author', place),
    role: optionalText(fields, 'role', place),
    occurred_at: timeOf(fields, 'at', place),
    tags: textsOf(fields['tags'], under(place, 'tags')),
  });
}

const FACT_KEYS = [
  'key',
  'at',
  'until',
  'text',
  'class',
  'category',
  'subject',
  'importance',
  'confidence',
  'tags',
  'replaces',
  'uses',
];

function readFact(value: unknown, place: Place): KeyedFact {
  const fields = fieldsOf(value, FACT_KEYS, place);
  return present({
    key: textOf(fields, 'key', place),
    content: textOf(fields, 'text', place).trim(),
    class: optionalText(fields, 'class', place),
    category: optionalText(fields, 'category', place),
    subject: optionalText(fields, 'subject', place),
    importance: optionalNumber(fields, 'importance', place),
    confidence: optionalNumber(fields, 'confidence', place),
    tags: textsOf(fields['tags'], under(place, 'tags')),
    valid_from: timeOf(fields, 'at', place),
    valid_until: timeOf(fields, 'until', place),
    replaces: optionalText(fields, 'replaces', place),
    uses: fields['uses'] === undefined ? undefined : timesOf(fields['uses'], under(place, 'uses')),
  });
}

function readTyped(value: unknown, place: Place): KeyedTyped {
  const fields = fieldsOf(
    value,
    ['key', 'at', 'until', 'subject', 'collection', 'property', 'value', 'confidence'],
    place,
  );
  if (fields['value'] === undefined)
    throw dataError(`\`${place.at}\` has no \`value\`.`, 'Add `value`.', place);
  return present({
    key: textOf(fields, 'key', place),
    subject: textOf(fields, 'subject', place),
    collection: textOf(fields, 'collection', place),
    property: textOf(fields, 'property', place),
    value: fields['value'],
    confidence: optionalNumber(fields, 'confidence', place),
    valid_from: timeOf(fields, 'at', place),
    valid_until: timeOf(fields, 'until', place),
  });
}

/**
 * Parts of one key made one store, in the order of first mention, but those that say what they
 * inherit after what they inherit.
 */
export function joinStores(
  parts: readonly StorePart[],
  options: { readonly now: string; readonly place: Place },
): readonly EvalStore[] {
  const keys = [...new Set(parts.map((part) => part.key))];
  const stores = keys.map((key): EvalStore => {
    const own = parts.filter((part) => part.key === key);
    const scopeType = own.find((part) => part.scopeType !== undefined)?.scopeType;
    if (scopeType === undefined)
      throw dataError(
        `The store \`${key}\` has no \`scope_type\`.`,
        'Add the `scope_block_type` of its manifest.',
        options.place,
      );
    return {
      key,
      scopeType,
      title: own.find((part) => part.title !== undefined)?.title ?? key,
      inherits: own.flatMap((part) => part.inherits),
      now: options.now,
      turns: own.flatMap((part) => part.turns),
      facts: own.flatMap((part) => part.facts),
      typed: own.flatMap((part) => part.typed),
    };
  });
  return outerFirst(stores);
}

function outerFirst(stores: readonly EvalStore[]): readonly EvalStore[] {
  const placed: EvalStore[] = [];
  const visit = (store: EvalStore, path: readonly string[]): void => {
    // a cycle is refused when the scopes are made
    if (placed.includes(store) || path.includes(store.key)) return;
    for (const outer of stores)
      if (store.inherits.includes(outer.key)) visit(outer, [...path, store.key]);
    placed.push(store);
  };
  for (const store of stores) visit(store, []);
  return placed;
}
