/** One fact in full, with the versions before and after it: what `facts get` prints. */
import { type ContextEngine, ContextEngineError } from '../index.ts';
import { type FactRecord, wordsOf } from './fact-table.ts';
import { oneLine } from './printable.ts';

type Facts = ContextEngine['facts'];

/** Versions beside one that was asked for, as far as the caller reads them. */
interface Neighbours {
  /** Those that it gave way to, one after the other; the last is what is said now. */
  readonly later: readonly FactRecord[];
  /** Those that gave way to it. */
  readonly earlier: readonly FactRecord[];
  /** `2 of 2, the current one`; empty where there is one version. */
  readonly place: string;
}

const NAME_WIDTH = 11;
const INDENT = ' '.repeat(NAME_WIDTH);

/** Lines of a name and a value. */
export async function factDetails(facts: Facts, fact: FactRecord): Promise<string> {
  const { later, earlier, place } = await neighboursOf(facts, fact);
  const lines = [
    ...ownLines(fact, place),
    ...later.slice(0, 1).map((next) => ['superseded', `by ${versionLine(next)}`]),
    ...later
      .slice(1)
      .slice(-1)
      .map((last) => ['now', versionLine(last)]),
    ...earlier.map((before) => ['supersedes', versionLine(before)]),
  ];
  return lines.map(([name = '', value = '']) => `${name.padEnd(NAME_WIDTH)}${value}`).join('\n');
}

const versionLine = (fact: FactRecord): string =>
  `${fact.row.uuid}: ${wordsOf(fact)}` +
  `${fact.row.retired_seq === null ? '' : ' (not believed any more)'}\n${INDENT}` +
  (fact.row.uuid === fact.row.root_uuid
    ? `contextengine facts history ${fact.row.root_uuid}`
    : `contextengine facts get ${fact.row.uuid}`);

/** No version gives way to an earlier one; the set bounds the walk all the same. */
async function neighboursOf(facts: Facts, fact: FactRecord): Promise<Neighbours> {
  const later: FactRecord[] = [];
  const seen = new Set<string>([fact.row.uuid]);
  for (let by = fact.row.superseded_by; by !== null && !seen.has(by); ) {
    seen.add(by);
    const next = await readable(facts, by);
    if (!next) break;
    later.push(next);
    by = next.row.superseded_by;
  }
  const versions = await facts.history(fact.row.root_uuid);
  return {
    later,
    earlier: versions.filter(({ row }) => row.superseded_by === fact.row.uuid),
    place: placeOf(fact, versions),
  };
}

/** Versions come oldest first. */
function placeOf({ row }: FactRecord, versions: readonly FactRecord[]): string {
  if (versions.length < 2) return '';
  const at = versions.findIndex((version) => version.row.uuid === row.uuid) + 1;
  const isCurrent = row.retired_seq === null && row.superseded_by === null;
  return `, version ${at} of ${versions.length}${isCurrent ? ', the current one' : ''}`;
}

/** Null = it was forgotten. */
async function readable(facts: Facts, uuid: string): Promise<FactRecord | null> {
  try {
    return await facts.get(uuid);
  } catch (error) {
    if (error instanceof ContextEngineError && error.code === 'WRITE.NOT_FOUND') return null;
    throw error;
  }
}

/** To the minute: the JSON has the milliseconds. */
const shortTime = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

function ownLines(fact: FactRecord, place: string): readonly (readonly string[])[] {
  const { row, origin } = fact;
  const until = row.valid_until === null ? 'open' : shortTime(row.valid_until);
  return [
    ['what', wordsOf(fact)],
    ['version', `${row.uuid}${place}`],
    ['root', row.root_uuid],
    ['scope', row.scope_uuid],
    ['subject', oneLine(row.subject ?? '')],
    ['class', fact.table === 'memory_open_set' ? oneLine(fact.row.class) : 'typed'],
    ['valid', `${shortTime(row.valid_from)} → ${until}`],
    ['believed', row.retired_seq === null ? 'yes' : `not any more: ${row.cause ?? ''}`],
    ['recorded', shortTime(origin.recorded_at)],
    [
      'by',
      oneLine(origin.extractor ? `${origin.principal}, ${origin.extractor}` : origin.principal),
    ],
    ['tier', origin.tier],
    ...(origin.operation_id === null ? [] : [['operation', origin.operation_id]]),
    ...(origin.approval === null
      ? []
      : [
          [
            'approved',
            `by ${oneLine(origin.approval.approved_by)}, ` +
              `${shortTime(origin.approval.approved_at)}, proposal ${origin.approval.proposal_uuid}`,
          ],
        ]),
    ...origin.sources.map((source) => [
      'source',
      'uuid' in source
        ? `${source.uuid} in scope ${source.scope_uuid}`
        : `${source.from_seq} to ${source.to_seq} of scope ${source.scope_uuid}`,
    ]),
  ];
}
