/** `upkeep`: what faded leaves the archive, and mounts are tidied. */
import { compact, numberFlag } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withWritingEngine } from '../session.ts';

export const upkeepCommand: Command = {
  name: 'upkeep',
  summary: 'archive, then prune, what faded and nobody uses; tidy the mounts',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    'dry-run': { type: 'boolean', help: 'say what would be done, write nothing' },
    scope: { type: 'string', value: SCOPE_VALUE, help: 'of this scope alone' },
    limit: { type: 'string', value: 'N', help: 'facts of a scope at most (default 1000)' },
    'mount-seconds': {
      type: 'string',
      value: 'N',
      help: 'no step on a mount begins later (default 600)',
    },
  },
  notes: `
For scopes whose manifest says retention.archive_under: facts whose importance, re-estimated from
use and faded, fell under it and which nobody used for retention.unused_days are archived: closed,
kept in their history, and back with \`undo\`. Those archived retention.prune_after_days ago are
pruned. Nothing that is pinned, typed, a source of other memory, or was cited within 30 days goes.
Run it each night from a timer. Exit 4: something waits for a second principal, or for another run.
`,
  examples: ['contextengine upkeep --dry-run', 'contextengine upkeep --scope key:dana --json'],
  run,
};

type Run = Awaited<ReturnType<import('../../index.ts').ContextEngine['upkeep']>>;

async function run(call: Call): Promise<ExitCode> {
  const { flags } = call;
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const scope = flags.text('scope');
    const ran = await engine.upkeep(
      compact({
        scope: scope === undefined ? undefined : await givenScope(engine, scope),
        dry_run: flags.isOn('dry-run'),
        limit: numberFlag(flags, 'limit'),
        mount_seconds: numberFlag(flags, 'mount-seconds'),
      }),
    );
    if (call.isJson) await printJson(call, ran);
    else await report(call, ran);
    return isLeft(ran) ? 4 : 0;
  });
}

const isLeft = ({ scopes, busy, mounts }: Run): boolean =>
  busy.length > 0 ||
  scopes.some(({ is_more: isMore, proposals }) => isMore || proposals.length > 0) ||
  mounts.some(({ postponed }) => postponed !== null);

async function report(call: Call, ran: Run): Promise<void> {
  const rows = ran.scopes.flatMap(({ archived, pruned }) => [
    ...archived.map((fact) => lineOf('archive', fact, ran)),
    ...pruned.map((fact) => lineOf('prune', fact, ran)),
  ]);
  const right = { align: 'right' as const };
  const columns = [
    { title: 'does' },
    // What was done is taken back by its operation.
    { title: ran.is_dry_run ? 'root' : 'operation' },
    { title: 'importance', ...right },
    { title: 'uses', ...right },
    { title: 'idle days', ...right },
    { title: 'fact', isFlexible: true },
  ];
  if (rows.length > 0) {
    await printTable(call, columns, rows);
    if (!ran.is_dry_run) remark(call, 'Take one back: contextengine undo OPERATION');
  }
  for (const { scope_block_uuid: scope, facts, archived, pruned, kept, proposals } of ran.scopes) {
    const stay = Object.entries(kept).flatMap(([why, count]) =>
      count > 0 ? `${count} ${why}` : [],
    );
    const stays = stay.length > 0 ? `; stay under the floor: ${stay.join(', ')}` : '';
    const [is, was] = ran.is_dry_run ? ['to archive', 'to prune'] : ['archived', 'pruned'];
    remark(
      call,
      `${scope}: ${facts} facts, ${archived.length} ${is}, ${pruned.length} ${was}${stays}`,
    );
    for (const proposal of proposals)
      remark(call, `It waits for another principal: contextengine approvals show ${proposal}`);
  }
  for (const { mount, rows: count, unindexed, bytes, postponed } of ran.mounts)
    await printText(
      call,
      `${mount}: ${count} rows, ${unindexed} not indexed, ${bytes} bytes` +
        (postponed === null ? '' : `, put off: ${postponed}`),
    );
  if (ran.scopes.length === 0) remark(call, 'No manifest asks for upkeep of a scope.');
  if (ran.is_dry_run) remark(call, 'A dry run: nothing was written.');
}

const lineOf = (
  does: string,
  fact: Run['scopes'][number]['archived'][number],
  { is_dry_run: isDryRun }: Pick<Run, 'is_dry_run'>,
): readonly string[] => [
  does,
  isDryRun ? fact.root_uuid : (fact.operation_id ?? ''),
  fact.importance.toFixed(3),
  String(fact.uses),
  String(fact.idle_days),
  oneLine(fact.content),
];
