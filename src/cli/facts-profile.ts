/** `facts profile`: the typed values of a subject as one object, shown and set. */
import type { ContextEngine } from '../index.ts';
import { parseJsonText } from '../text/json-text.ts';
import { required } from './arguments.ts';
import type { Call, ExitCode } from './command.ts';
import { givenScope, SCOPE_VALUE } from './given-scope.ts';
import { printJson, printText, remark } from './output.ts';
import { oneLine } from './printable.ts';
import { withEngine, withWritingEngine } from './session.ts';

type Profile = ReturnType<ContextEngine['profile']>;
type Values = Awaited<ReturnType<Profile['get']>>;

export async function factsProfile(
  call: Call,
  subject: string,
  json: string | undefined,
): Promise<ExitCode> {
  const given = required(call.flags, 'scope', SCOPE_VALUE);
  if (json === undefined)
    return withEngine<ExitCode>(call, async ({ engine }) => {
      const values = await engine.profile(await givenScope(engine, given), subject).get();
      if (call.isJson) await printJson(call, values);
      else await printValues(call, values);
      return 0;
    });
  const values = parseJsonText(json, { file: 'JSON', code: 'CLI.INPUT' });
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const profile = engine.profile(await givenScope(engine, given), subject);
    // The engine checks every name and value of it.
    const result = await profile.set(values as Parameters<Profile['set']>[0]);
    if (call.isJson) await printJson(call, result);
    else if (result.proposal)
      await printText(call, `waits as proposal ${result.proposal.proposal_uuid}`);
    else {
      await printValues(call, await profile.get());
      remark(call, `${result.receipts.length} operations`);
    }
    return 0;
  });
}

async function printValues(call: Call, values: Values): Promise<void> {
  const lines = Object.entries(values).flatMap(([collection, properties]) =>
    Object.entries(properties).map(
      ([name, value]) => `${collection}.${name} = ${oneLine(JSON.stringify(value))}`,
    ),
  );
  if (lines.length === 0) remark(call, 'No values.');
  else await printText(call, lines.join('\n'));
}
