/** `history`: every version of a thing. */
import type { AnyRow } from '../../index.ts';
import { ContextEngineError } from '../../index.ts';
import type { Command, ExitCode } from '../command.ts';
import { givenId } from '../given-id.ts';
import { printJson, printText, tableText } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withEngine } from '../session.ts';

export const historyCommand: Command = {
  name: 'history',
  summary: 'list all versions of a block, fact or typed value, oldest first',
  takes: { usage: 'ROOT', min: 1, max: 1 },
  usesLedger: true,
  flags: {},
  notes: `
valid      when it was true in the world; open where nothing has ended it
recorded   the sequence number of the scope at which the ledger took it in
retired    the sequence number at which this version stopped being believed, and why
`,
  examples: ['contextengine history 0190a2b4-…'],
  async run(call) {
    const root = givenId('fact', call.positionals[0] ?? '');
    return withEngine<ExitCode>(call, async ({ engine }) => {
      const versions = await engine.history(root);
      if (versions.length === 0)
        throw new ContextEngineError('WRITE.NOT_FOUND', {
          message: `Nothing with the root \`${root}\` that you may read.`,
          fix: 'Take a `root_uuid` from `compose --json` or `explain`.',
        });
      if (call.isJson) await printJson(call, versions);
      else {
        const right = { align: 'right' as const };
        const layout = [
          { title: '#', ...right },
          { title: 'version' },
          { title: 'valid' },
          { title: 'recorded', ...right },
          { title: 'retired' },
          { title: 'content', isFlexible: true },
        ];
        const rows = versions.map((version, index) => [
          String(index + 1),
          ...versionCells(version),
        ]);
        await printText(
          call,
          `${versions[0]?.table ?? ''} ${root} in scope ` +
            `${versions[0]?.row.scope_uuid ?? ''}\n\n${tableText(call, layout, rows)}`,
        );
      }
      return 0;
    });
  },
};

function versionCells(version: AnyRow): readonly string[] {
  const { row } = version;
  const until = row.valid_until === null ? 'open' : shortTime(row.valid_until);
  const retired =
    row.retired_seq === null
      ? row.status === 'live'
        ? ''
        : row.status
      : `${row.retired_seq} ${row.cause ?? ''}`;
  return [
    row.uuid,
    `${shortTime(row.valid_from)} → ${until}`,
    String(row.recorded_seq),
    retired,
    contentOf(version),
  ];
}

/** To the minute: the JSON has the milliseconds. */
const shortTime = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

function contentOf(version: AnyRow): string {
  switch (version.table) {
    case 'memory_schema_typed':
      return (
        `${version.row.subject} ${version.row.collection}.${version.row.property} = ` +
        `${JSON.stringify(version.row.value)}`
      );
    case 'context_links':
      return `${version.row.link_type} → ${version.row.to_uuid}`;
    case 'blocks':
      return oneLine(version.row.content || version.row.title || version.row.block_type);
    default:
      return oneLine(version.row.content);
  }
}
