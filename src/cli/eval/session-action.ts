/** `eval session`: what of a context stays as it was from one turn of a session to the next. */
import type { SessionPrefix } from '../../../eval/index.ts';
import { numberFlag, usageError } from '../arguments.ts';
import type { Call, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { formatTable } from '../table.ts';
import { createProgress } from '../terminal.ts';
import type { Harness } from './harness.ts';
import { pathFlag } from './harness.ts';

const TURNS = 50;
const FACTS = [0, 10, 40];

export async function session(call: Call, harness: Harness): Promise<ExitCode> {
  const turns = wholeNumber('turns', numberFlag(call.flags, 'turns') ?? TURNS, 3);
  const given = call.flags.texts('facts').map((text) => wholeNumber('facts', Number(text), 0));
  const manifest = pathFlag(call, 'manifest');
  const progress = createProgress(call.terminal, call.isJson);
  const played: SessionPrefix[] = [];
  try {
    for (const facts of given.length > 0 ? given : FACTS) {
      progress.update(`${turns} turns, ${facts} facts`);
      played.push(await harness.playSession({ turns, facts, ...(manifest && { manifest }) }));
    }
  } finally {
    progress.end();
  }
  if (call.isJson) await printJson(call, played);
  else await printText(call, shown(played, call));
  return 0;
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw usageError(
    `\`--${name}\` is not a whole number from ${least} on.`,
    `Write \`--${name} ${name === 'turns' ? TURNS : 10}\`.`,
  );
}

function shown(played: readonly SessionPrefix[], { terminal }: Call): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const rows = played.flatMap(({ facts, text, messages, in_front: inFront }) =>
    (
      [
        ['text', text],
        ['messages', messages],
        ['messages, all in front', inFront],
      ] as const
    ).map(([name, { tokens, stable, cached }]) => [
      String(facts),
      name,
      String(tokens),
      percent(stable),
      percent(cached),
    ]),
  );
  const table = formatTable(
    [
      { title: 'facts', align: 'right' },
      { title: 'of' },
      { title: 'tokens', align: 'right' },
      { title: 'as before', align: 'right' },
      { title: 'cached', align: 'right' },
    ],
    rows,
    { columns: terminal.columns, paint: (text) => terminal.paintOut('bold', text) },
  );
  const heading = `A session of ${played[0]?.turns ?? TURNS} turns, one intent`;
  return `${heading}\n\n${table}\n\n${NOTE}`;
}

const NOTE =
  'as before: share of the tokens, from the beginning, that the composition before had as well.\n' +
  'cached: what a cache serves that keeps prefixes of 1,024 tokens or more, in steps of 128.';
