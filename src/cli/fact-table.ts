/** Facts as rows of a table: what `facts list`, `search` and `history` print. */
import type { ContextEngine } from '../index.ts';
import type { Call } from './command.ts';
import { printTable } from './output.ts';
import { oneLine } from './printable.ts';

export type FactRecord = Awaited<ReturnType<ContextEngine['facts']['get']>>;
/** What a scope is called, by its uuid. */
export type ScopeNames = ReadonlyMap<string, string>;

/**
 * `scopes`: with a column that says where each fact lies; null = without. What was searched for has
 * one of its score.
 */
export async function printFacts(
  call: Call,
  facts: readonly (FactRecord & { readonly score?: number })[],
  scopes: ScopeNames | null,
): Promise<void> {
  const isScored = facts.some(({ score }) => score !== undefined);
  const layout = [
    ...(isScored ? [{ title: 'score', align: 'right' as const }] : []),
    { title: 'root' },
    ...(scopes ? [{ title: 'scope' }] : []),
    { title: 'class' },
    { title: 'valid' },
    { title: 'by' },
    { title: 'what', isFlexible: true },
  ];
  const rows = facts.map((fact) => [
    ...(isScored ? [fact.score?.toFixed(3) ?? ''] : []),
    fact.row.root_uuid,
    ...(scopes ? [nameOf(fact.row.scope_uuid, scopes)] : []),
    ...cellsOf(fact),
  ]);
  await printTable(call, layout, rows);
}

const cellsOf = (fact: FactRecord): readonly string[] => [
  fact.table === 'memory_open_set' ? oneLine(fact.row.class) : 'typed',
  intervalOf(fact),
  oneLine(fact.origin.extractor ?? fact.origin.principal),
  wordsOf(fact),
];

function intervalOf({ row }: FactRecord): string {
  const until = row.valid_until === null ? '' : ` → ${row.valid_until.slice(0, 10)}`;
  return `${row.valid_from.slice(0, 10)}${until}${row.retired_seq === null ? '' : ' retired'}`;
}

/** The text of a fact, or the value of a property, on one line. */
export const wordsOf = (fact: FactRecord): string =>
  oneLine(
    fact.table === 'memory_open_set'
      ? fact.row.content
      : `${fact.row.subject}: ${fact.row.property} = ${JSON.stringify(fact.row.value)}`,
  );

/** Characters of a uuid that stand for a scope without a title. */
const SHORT = 8;
/** A longer title is cut: the words of the fact need the width. */
const LONGEST_TITLE = 24;

const nameOf = (uuid: string, scopes: ScopeNames): string =>
  scopes.get(uuid) ?? uuid.slice(0, SHORT);

export interface Listed {
  readonly facts: readonly FactRecord[];
  /** The scope whose closure was read, as it was given; null = all that the caller reads. */
  readonly scope: { readonly uuid: string; readonly given: string } | null;
}

/** Null where one scope was read, or every fact lies in the one that was named. */
export async function scopeNames(
  { scopes }: Pick<ContextEngine, 'scopes'>,
  { facts, scope }: Listed,
): Promise<ScopeNames | null> {
  if (scope && facts.every(({ row }) => row.scope_uuid === scope.uuid)) return null;
  const held = await scopes.list();
  if (!scope && held.length < 2) return null;
  const titles = held.map(({ title }) => title);
  const names = held.flatMap(({ scope_block_uuid: uuid, title }): [string, string][] => {
    if (!title) return [];
    const isOne = titles.indexOf(title) === titles.lastIndexOf(title);
    const words = oneLine(title);
    const short = words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE - 1)}…` : words;
    return [[uuid, isOne ? short : `${short} (${uuid.slice(0, SHORT)})`]];
  });
  const named = new Map(names);
  if (scope && scope.given !== scope.uuid) named.set(scope.uuid, oneLine(scope.given));
  return named;
}
