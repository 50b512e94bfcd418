/**
 * Whom candidates are of, as they are known: what `ada ` says is of `Ada`, of whom there are facts,
 * so that a slot has one value. Without facts of any spelling, it is the first of the batch.
 */
import type { Hit, QueryPart } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Candidate, PlacedCandidate } from '../state.ts';
import { spokenName } from '../voices/speaker.ts';
import { plainAuthor, speakerKey, spellingsOf } from '../voices/spellings.ts';

type Ask = (parts: readonly QueryPart[]) => Promise<ReadonlyMap<string, readonly Hit[]>>;

const TABLES = ['memory_open_set', 'memory_schema_typed'] as const;
const MOST_FACTS = 16;

export async function asKnownSpeakers(
  placed: readonly PlacedCandidate[],
  ask: Ask,
): Promise<readonly PlacedCandidate[]> {
  const spellings = new Map<string, string>();
  const asked = new Map<string, QueryPart>();
  for (const { candidate, target } of placed) {
    const { subject } = candidate;
    for (const table of TABLES)
      asked.set(idOf(table, subject, target), partOf(table, subject, target));
  }
  const answered = await ask([...asked.values()]);
  for (const { candidate, target } of placed) {
    const key = JSON.stringify([target, speakerKey(candidate.subject)]);
    if (spellings.has(key)) continue;
    const known = TABLES.flatMap((table) =>
      (answered.get(idOf(table, candidate.subject, target)) ?? []).flatMap(subjectOf),
    );
    const own = known.find((subject) => subject === candidate.subject);
    spellings.set(key, own ?? known[0] ?? plainAuthor(candidate.subject));
  }
  return placed.map((each) => {
    const spelling = spellings.get(
      JSON.stringify([each.target, speakerKey(each.candidate.subject)]),
    );
    return spelling === undefined || spelling === each.candidate.subject
      ? each
      : { ...each, candidate: spelledAs(each.candidate, spelling) };
  });
}

const idOf = (table: (typeof TABLES)[number], subject: string, target: Uuid): string =>
  JSON.stringify([table, target, subject]);

const partOf = (table: (typeof TABLES)[number], subject: string, target: Uuid): QueryPart => ({
  ...{ id: idOf(table, subject, target), table, mode: 'list', scopes: [target], limit: MOST_FACTS },
  filter: { field: 'subject', in: [...spellingsOf(subject)] },
  order: { by: 'valid_from', direction: 'asc' },
});

function subjectOf(hit: Hit): readonly string[] {
  if (hit.table !== 'memory_open_set' && hit.table !== 'memory_schema_typed') return [];
  return hit.row.subject === null ? [] : [hit.row.subject];
}

function spelledAs(candidate: Candidate, subject: string): Candidate {
  if (candidate.kind === 'typed') return { ...candidate, subject };
  const [was, is] = [spokenName(candidate.turn.author), spokenName(subject)];
  const written = (text: string): string =>
    text.startsWith(was) ? is + text.slice(was.length) : text;
  return {
    ...candidate,
    subject,
    content: written(candidate.content),
    ...(candidate.whole !== undefined && { whole: written(candidate.whole) }),
  };
}
