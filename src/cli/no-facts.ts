/** Why a list of facts is empty: a filter that no fact meets alone, with what there is instead. */
import type { ContextEngine } from '../index.ts';
import { didYouMean } from '../manifest/suggest.ts';
import type { FactRecord } from './fact-table.ts';
import { oneLine } from './printable.ts';

type Facts = ContextEngine['facts'];
type Listing = NonNullable<Parameters<Facts['list']>[0]>;

/** What each filter compares. A fact has several tags, and may have no subject. */
const VALUES = {
  class: ({ table, row }) => [table === 'memory_open_set' ? row.class : 'typed'],
  subject: ({ row }) => [row.subject],
  tag: ({ table, row }) => (table === 'memory_open_set' ? row.tags : []),
  collection: ({ table, row }) => (table === 'memory_schema_typed' ? [row.collection] : []),
  property: ({ table, row }) => (table === 'memory_schema_typed' ? [row.property] : []),
  extractor: ({ origin }) => [origin.extractor],
} as const satisfies Record<string, (fact: FactRecord) => readonly (string | null)[]>;
type Filtered = keyof typeof VALUES;
const FILTERS = Object.keys(VALUES) as Filtered[]; // the keys of a literal

/** The most that a page may hold: what stands further back is not offered. */
const MOST = 1000;

/** One sentence for each filter that alone leaves nothing; '' where nothing explains it. */
export async function whyNoFacts(facts: Facts, asked: Listing): Promise<string> {
  const { scope, state } = asked;
  const here: Listing = {
    ...(scope !== undefined && { scope }),
    ...(state !== undefined && { state }),
    limit: MOST,
  };
  const wrong: string[] = [];
  const given = FILTERS.flatMap((name) => {
    const value = asked[name];
    return value === undefined ? [] : [{ name, value }];
  });
  const all = given.length === 0 ? [] : (await facts.list(here)).facts;
  for (const { name, value } of given) {
    const known = [...new Set(all.flatMap((fact) => valuesOf(fact, name)))].sort();
    const isKnown =
      known.includes(value) || (await facts.list({ ...here, [name]: value })).total > 0;
    if (!isKnown && all.length > 0)
      wrong.push(
        known.length === 0
          ? `No fact here has a ${name}.`
          : `No ${name} \`${oneLine(value)}\`. ${didYouMean(value, known)}`,
      );
  }
  if (wrong.length > 0) return wrong.join('\n');
  if ((state ?? 'current') !== 'current' || asked.after !== undefined) return '';
  const { total } = await facts.list({ ...asked, state: 'all', limit: 1 });
  return total === 0
    ? ''
    : `None is current; of all times there ${total === 1 ? 'is' : 'are'} ${total}: --state all.`;
}

const valuesOf = (fact: FactRecord, name: Filtered): readonly string[] =>
  VALUES[name](fact).flatMap((value) => (value === null || value === '' ? [] : [oneLine(value)]));
