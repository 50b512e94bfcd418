/** `core`: core memory in hand, by its lines. */
import { readFileSync } from 'node:fs';
import type { ContextEngine } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printText, remark } from '../output.ts';
import { withEngine, withWritingEngine } from '../session.ts';

type CoreMemory = Awaited<ReturnType<ContextEngine['core']['show']>>;
type CoreChange = Awaited<ReturnType<ContextEngine['core']['add']>>;

const ACTIONS = ['show', 'edit', 'add', 'drop'] as const;
/** A file descriptor. */
const STANDARD_INPUT = 0;

export const coreCommand: Command = {
  name: 'core',
  summary: 'show or change core memory, the lines that are always loaded',
  takes: { usage: 'show|edit|add|drop [TEXT|LINE]', min: 1, max: 2 },
  usesLedger: true,
  flags: {
    scope: { type: 'string', value: SCOPE_VALUE, help: 'as a composition of this scope reads it' },
  },
  notes: `
edit takes all of it anew (from standard input without TEXT), add puts TEXT at the end, drop takes a
line out by its number or its words. Each change is a version. What a scope inherits is changed in
the scope where it stands, which show names. Over the lines that the manifests take a change
is refused and shows the newest lines. It is T2 for an agent like any write.
`,
  examples: [
    'contextengine core show --scope dana',
    'contextengine core add "Reviews are on Thursdays." --scope dana',
    'contextengine core drop 12 --scope dana',
    'contextengine core edit --scope dana < core-memory.md',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', given] = call.positionals;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`core ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  if (action === 'show' ? given !== undefined : action !== 'edit' && given === undefined)
    throw usageError(
      `\`core ${action}\` takes ${action === 'show' ? 'no text' : 'a text'}.`,
      'Quote a text that has spaces. Run `contextengine help core`.',
    );
  const scope = required(call.flags, 'scope', SCOPE_VALUE);
  if (action === 'show')
    return withEngine<ExitCode>(call, async ({ engine }) => {
      const core = await engine.core.show(await givenScope(engine, scope));
      if (call.isJson) await printJson(call, core);
      else await printCore(call, core);
      return 0;
    });
  const text = given ?? readFileSync(STANDARD_INPUT, 'utf8');
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const changed = await engine.core[action](await givenScope(engine, scope), text);
    if (call.isJson) await printJson(call, changed);
    else await printChange(call, changed);
    return 0;
  });
}

async function printCore(
  call: Call,
  { lines, max_lines: most, ...core }: CoreMemory,
): Promise<void> {
  const width = String(lines.length).length;
  for (const { number, text } of lines)
    await printText(call, `${String(number).padStart(width)}  ${text}`);
  const where = core.root_uuid === null ? 'none yet' : `in scope ${core.scope_block_uuid}`;
  const versions = `${core.versions} ${core.versions === 1 ? 'version' : 'versions'}`;
  remark(call, `${lines.length} of ${most} lines, ${where}, ${versions}`);
}

async function printChange(call: Call, changed: CoreChange): Promise<void> {
  const { proposal, counts } = changed.result;
  if (proposal) {
    await printText(call, proposal.proposal_uuid);
    const next = `contextengine approvals show ${proposal.proposal_uuid}`;
    remark(call, `It is ${proposal.tier} and waits for another principal: ${next}`);
    return;
  }
  await printCore(call, changed);
  if (counts.conflict > 0)
    remark(call, 'others wrote it meanwhile; nothing was written. Try again');
}
