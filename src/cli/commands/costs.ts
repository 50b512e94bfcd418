/** `costs`: what models cost for captures, by day. */
import { compact, numberFlag } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printTable, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withEngine } from '../session.ts';

export const costsCommand: Command = {
  name: 'costs',
  summary: 'list what models cost for captures, by scope, manifest and UTC day',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    scope: { type: 'string', value: SCOPE_VALUE, help: 'of this scope alone' },
    from: { type: 'string', value: 'DAY', help: 'first day, as 2026-05-01 (default today, UTC)' },
    to: { type: 'string', value: 'DAY', help: 'last day (default today, UTC)' },
    limit: { type: 'string', value: 'N', help: 'at most so many lines (default 100)' },
    prices: { type: 'boolean', help: 'the prices that are known, and of which day they are' },
  },
  notes: `
spec.writing.cost_budget_usd_per_day of the manifest is the cap for a scope and day: the most that a
call can cost is taken from it before the call is made, and at the cap the work waits for the next
day. A call whose answer never came counts as the most that it can have cost.
`,
  examples: ['contextengine costs --from 2026-05-01', 'contextengine costs --prices'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  return call.flags.isOn('prices') ? prices(call) : list(call);
}

async function list(call: Call): Promise<ExitCode> {
  const { flags } = call;
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const scope = flags.text('scope');
    const costs = await engine.costs.list(
      compact({
        scope: scope === undefined ? undefined : await givenScope(engine, scope),
        from_day: flags.text('from'),
        to_day: flags.text('to'),
        limit: numberFlag(flags, 'limit'),
      }),
    );
    if (call.isJson) await printJson(call, costs);
    else if (costs.length === 0) remark(call, 'No model was asked.');
    else {
      const right = { align: 'right' as const };
      const layout = [
        { title: 'day' },
        { title: 'scope' },
        { title: 'manifest' },
        { title: 'model' },
        { title: 'calls', ...right },
        { title: 'tokens in', ...right },
        { title: 'tokens out', ...right },
        { title: 'usd', ...right },
      ];
      const rows = costs.map((cost) => [
        cost.day,
        cost.scope_uuid,
        oneLine(cost.manifest),
        oneLine(cost.model),
        String(cost.calls),
        String(cost.input_tokens),
        String(cost.output_tokens),
        cost.usd.toFixed(4),
      ]);
      await printTable(call, layout, rows);
      const sum = costs.reduce((usd, cost) => usd + cost.usd, 0);
      remark(call, `${sum.toFixed(4)} usd`);
    }
    return 0;
  });
}

async function prices(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const known = await engine.costs.prices();
    if (call.isJson) await printJson(call, known);
    else {
      const right = { align: 'right' as const };
      const layout = [
        { title: 'model' },
        { title: 'usd per million in', ...right },
        { title: 'out', ...right },
        { title: 'as of' },
      ];
      const rows = known.map((price) => [
        price.model,
        String(price.input_usd_per_million),
        String(price.output_usd_per_million),
        price.as_of,
      ]);
      await printTable(call, layout, rows);
    }
    return 0;
  });
}
