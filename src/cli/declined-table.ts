/** What a capture declined, piece by piece: why, where, and the words that it stands in. */
import type { ContextEngine } from '../index.ts';
import type { Call } from './command.ts';
import { printTable } from './output.ts';
import { oneLine } from './printable.ts';
import { type TurnWords, wordsOfTurns } from './turn-words.ts';

type Receipt = Awaited<ReturnType<ContextEngine['capture']>>['receipts'][number];
type Declined = NonNullable<Receipt['declined_candidates']>[number];

/** Who keeps a log of the terminal keeps none of what was not to be kept. */
const UNSHOWN: readonly string[] = ['secret', 'never'] satisfies Declined['reason'][];

/** What the assistant said fills no table: a row for each reason. */
export async function printDeclined(
  call: Call,
  receipts: readonly Receipt[],
  engine: Pick<ContextEngine, 'history'>,
): Promise<void> {
  const declined = receipts.flatMap(({ declined_candidates: each = [] }) => each);
  if (declined.length === 0) return;
  const read = wordsOfTurns(engine);
  const rows: (readonly string[])[] = [];
  const ofAssistant = new Map<string, number>();
  for (const each of declined) {
    const said = await read(each);
    if (said.role === 'assistant')
      ofAssistant.set(each.reason, (ofAssistant.get(each.reason) ?? 0) + 1);
    else rows.push(rowOf(each, said));
  }
  for (const [reason, count] of ofAssistant)
    rows.push([
      reason,
      '',
      '',
      '',
      `(${count} ${count === 1 ? 'piece' : 'pieces'} of the assistant)`,
    ]);
  const layout = [
    { title: 'declined' },
    { title: 'turn' },
    { title: 'from', align: 'right' as const },
    { title: 'to', align: 'right' as const },
    { title: 'what', isFlexible: true },
  ];
  await printTable(call, layout, rows);
}

const rowOf = (
  { reason, source_uuid: turn, start, end }: Declined,
  { words }: TurnWords,
): readonly string[] => [
  reason,
  turn,
  String(start),
  String(end),
  UNSHOWN.includes(reason) ? '(not shown)' : oneLine(words),
];
