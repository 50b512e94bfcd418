/** `compose`: the one call, from the command line. */

import type { ComposeRequest, Composition } from '../../index.ts';
import { compact, required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { layerTable } from '../layer-table.ts';
import { notice, printJson, printText, remark } from '../output.ts';
import { withEngine } from '../session.ts';
import { shownWarnings } from '../shown-warnings.ts';
import { formatMs, wrap } from '../table.ts';

const TEXT_FORMATS = ['xml', 'markdown'] as const;
const MESSAGE_FORMATS = ['openai', 'anthropic'] as const;

export const composeCommand: Command = {
  name: 'compose',
  summary: 'compose the context of a scope: the text on stdout, with --json everything',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    scope: { type: 'string', value: SCOPE_VALUE, help: 'uuid or key of the scope (required)' },
    intent: {
      type: 'string',
      value: 'NAME',
      help:
        'follow_up, new_topic, compare, recall_decision, creative, fact, reasoning, temporal, ' +
        'or one of the manifest (required)',
    },
    query: {
      type: 'string',
      value: 'TEXT',
      help: 'what the model will be asked; may be empty; `-` reads it from standard input',
    },
    format: {
      type: 'string',
      value: 'NAME',
      help: 'xml or markdown: the text; openai or anthropic: messages as JSON',
    },
    input: {
      type: 'string',
      value: 'NAME=VALUE',
      isMultiple: true,
      help: 'a value for a placeholder of the manifest',
    },
    manifest: {
      type: 'string',
      value: 'NAME',
      help: 'name or name@version, where several serve the scope type',
    },
    model: { type: 'string', value: 'NAME', help: 'tokenizer and window, over the manifest' },
    'as-of': {
      type: 'string',
      value: 'TIME',
      help: 'the ledger as it stood then, and the clock with it',
    },
    'recorded-as-of': { type: 'string', value: 'TIME', help: 'what was known then' },
    trace: {
      type: 'boolean',
      help: 'layers, timings and what was dropped, on stderr; with --json in the composition',
    },
  },
  notes: 'On a terminal, or with --trace, a table of layers and tokens follows on stderr.',
  examples: [
    'contextengine compose --scope 0190a2b4-… --intent follow_up --query "what did we decide?"',
    'contextengine compose --scope 0190a2b4-… --intent fact --query "…" --as-of 2026-03-01 --trace',
    'contextengine compose --scope 0190a2b4-… --intent follow_up --query "…" --format openai',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const format = formatOf(call);
  const request = await readRequest(call);
  const messageFormat = MESSAGE_FORMATS.find((known) => known === format);
  const textFormat = TEXT_FORMATS.find((known) => known === format);
  return withEngine<ExitCode>(call, async ({ engine, profile }) => {
    const started = performance.now();
    const composition = await engine.composeBlockContext({
      ...request,
      scope_block_uuid: await givenScope(engine, request.scope_block_uuid),
      permission_profile: profile,
      ...(textFormat === undefined ? {} : { format: textFormat }),
    });
    const ms = performance.now() - started;
    const messages = messageFormat === undefined ? undefined : composition.messages(messageFormat);
    if (call.isJson)
      await printJson(call, messages === undefined ? composition : { ...composition, messages });
    else if (messages !== undefined) await printJson(call, messages);
    else await printText(call, composition.text);
    if (!call.isJson) report(call, composition, ms);
    return 0;
  });
}

function formatOf(call: Call): string | undefined {
  const format = call.flags.text('format');
  const known: readonly string[] = [...TEXT_FORMATS, ...MESSAGE_FORMATS];
  if (format !== undefined && !known.includes(format))
    throw usageError(`\`--format\` is \`${format}\`.`, `Use ${known.join(', ')}.`);
  return format;
}

async function readRequest(call: Call): Promise<Omit<ComposeRequest, 'permission_profile'>> {
  const { flags } = call;
  const query = flags.text('query') ?? '';
  const inputs = flags.texts('input').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(`\`--input\` is \`${pair}\`.`, 'Write `--input name=value`.');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return compact({
    scope_block_uuid: required(flags, 'scope', SCOPE_VALUE),
    intent: required(flags, 'intent', 'follow_up'),
    query: query === '-' ? await readQuery(call) : query,
    trace: flags.isOn('trace') ? true : undefined,
    as_of: flags.text('as-of'),
    recorded_as_of: flags.text('recorded-as-of'),
    manifest: flags.text('manifest'),
    model: flags.text('model'),
    inputs: inputs.length === 0 ? undefined : Object.fromEntries(inputs),
  });
}

async function readQuery(call: Call): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of call.terminal.stdin)
    parts.push(typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat(parts).toString('utf8').trim();
}

/** On stderr: what was wrong always, the table where somebody looks or asks. */
function report(call: Call, composition: Composition, ms: number): void {
  const { terminal } = call;
  for (const { part, reason } of composition.degraded)
    notice(terminal, { label: 'degraded', text: `${part}: ${reason}` });
  for (const { message, code } of shownWarnings(composition.warnings))
    notice(terminal, { label: 'warning', text: message, code });
  const { flags } = call;
  const isKept = flags.text('as-of') === undefined && flags.text('recorded-as-of') === undefined;
  if (!isKept) remark(call, NO_RECEIPT, 'dim');
  if (!flags.isOn('trace') && !terminal.isErrTty) return;
  const paint = (style: 'bold' | 'dim', text: string): string => terminal.paintErr(style, text);
  terminal.err(`\n${layerTable(composition, { columns: terminal.columns, paint })}\n`);
  if (composition.trace) {
    const lines = traceLines(composition, composition.trace);
    const shown = terminal.isErrTty ? lines.map((line) => hung(line, terminal.columns)) : lines;
    terminal.err(`\n${shown.join('\n')}\n`);
  }
  terminal.err('\n');
  const { composition_id: id, cache } = composition;
  const took = `${id}  ${formatMs(ms)}, cache ${cache.state}`;
  remark(call, isKept ? `${took}; why: contextengine explain ${id}` : took, 'dim');
}

const NO_RECEIPT =
  'What is composed as of another time leaves no receipt: `contextengine explain latest` is of the ' +
  'composition before it; --trace shows the layers of this one, and what was dropped.';

/** What each line of the trace begins with takes so many columns. */
const TRACE_LABEL = ' '.repeat(9);
const hung = (line: string, columns: number): string =>
  wrap(line, columns, TRACE_LABEL).trimStart();

function traceLines(
  composition: Composition,
  trace: NonNullable<Composition['trace']>,
): readonly string[] {
  const stages = trace.stages
    .map((stage) => `${stage.stage} ${stage.bypassed ? 'off' : formatMs(stage.ms)}`)
    .join(' · ');
  const reasons = new Map<string, number>();
  for (const item of trace.dropped)
    reasons.set(
      `${item.layer} ${item.reason}`,
      (reasons.get(`${item.layer} ${item.reason}`) ?? 0) + 1,
    );
  return [
    `stages   ${stages}`,
    `closure  ${trace.closure.map((entry) => `${entry.scope} at ${entry.head}`).join(', ')}`,
    ...trace.left_out.map((entry) => `left out ${entry.scope}: ${entry.reason}`),
    `intent   ${trace.intent.name}, lambda ${trace.intent.lambda}: ` +
      `${trace.intent.layers.join(', ')}`,
    ...Object.entries(trace.formulas).map(([layer, formula]) => `formula  ${layer}: ${formula}`),
    'dropped  ' +
      `${[...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ') || 'nothing'}`,
    `as of    ${composition.as_of}`,
  ];
}
