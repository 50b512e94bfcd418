/** `erase`: ends what was forgotten, shows its certificate, and looks for copies that are left. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContextEngine } from '../../index.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { copyCounts } from '../copy-words.ts';
import { givenId } from '../given-id.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { jsonText, oneLine } from '../printable.ts';
import { withEngine, withWritingEngine } from '../session.ts';

type Erasure = ContextEngine['erasure'];
type ErasureCertificate = Awaited<ReturnType<Erasure['certificate']>>;
type Redaction = Awaited<ReturnType<Erasure['list']>>[number];

export const eraseCommand: Command = {
  name: 'erase',
  summary: 'erase what was forgotten, show its certificate, look for copies that are left',
  takes: { usage: '[ID]', min: 0, max: 1 },
  usesLedger: true,
  flags: {
    list: { type: 'boolean', help: 'list what was forgotten, the newest first' },
    certificate: { type: 'boolean', help: 'print the certificate of ID, and check its signature' },
    check: {
      type: 'string',
      value: 'FILE',
      help: 'check a certificate that was saved; exit 4 where it is not sound',
    },
    verify: {
      type: 'boolean',
      help: 'look through every column of every table for copies; exit 4 where there are some',
    },
    text: {
      type: 'string',
      value: 'TEXT',
      isMultiple: true,
      help: 'verify: look for this text as well; may be given more than once',
    },
    compact: {
      type: 'boolean',
      help: 'write the files of an embedded folder anew, without what was overwritten',
    },
  },
  notes: `
Without ID it erases all whose grace period is over (see --list); with ID that one, at once. What
"contextengine forget" printed is the ID. Each erasure has a certificate, signed by the key of the
tenant; keep it with --certificate > FILE, and check it again with --check FILE. --verify finds
texts that were erased by their keyed digests, and the texts that you give. Erased rows stay in the
files of a database until they are vacuumed, and in its log: --compact cleans both for an embedded
folder, which nobody else may have open.
`,
  examples: [
    'contextengine erase --list',
    'contextengine erase 0b6f… ',
    'contextengine erase 0b6f… --certificate > zoe.json',
    'contextengine erase --check zoe.json',
    "contextengine erase --verify --text 'Zoe Miller'",
    'contextengine erase --compact',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const { flags, positionals } = call;
  const [given] = positionals;
  const redaction = given === undefined ? undefined : givenId('redaction', given);
  if (flags.isOn('list')) return list(call);
  if (flags.isOn('certificate')) return certificate(call, redaction);
  const saved = flags.text('check');
  if (saved !== undefined) return check(call, saved);
  if (flags.isOn('verify')) return verify(call);
  if (flags.isOn('compact')) return compact(call);
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const certificates = await engine.erasure.erase(redaction ?? null);
    if (call.isJson) await printJson(call, certificates);
    else if (certificates.length === 0) remark(call, 'Nothing is due.');
    else {
      await printText(call, certificates.map(lineOf).join('\n'));
      remark(call, 'Certificate: contextengine erase ID --certificate');
    }
    return 0;
  });
}

const lineOf = (certificate: ErasureCertificate): string =>
  `erased  ${certificate.redaction}  ${countsOf(certificate.reached)}`;

const countsOf = (counts: Redaction['counts']): string =>
  copyCounts(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** When it was ended, or when it may be. */
function endOf({ state, erased_at: erased, brought_back_at: back, ...each }: Redaction): string {
  if (state === 'erased') return `erased ${erased?.slice(0, 10) ?? ''}`.trimEnd();
  if (state === 'brought_back') return `back since ${back?.slice(0, 10) ?? ''}`;
  return `to be erased after ${each.erase_after.slice(0, 10)}`;
}

async function list(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const redactions = await engine.erasure.list({ limit: 1000 });
    if (call.isJson) await printJson(call, redactions);
    else if (redactions.length === 0) remark(call, 'Nothing was forgotten.');
    else {
      const layout = [
        { title: 'id' },
        { title: 'target' },
        { title: 'forgotten' },
        { title: 'now' },
        { title: 'reached', isFlexible: true },
      ];
      const cells = redactions.map((each) => [
        each.redaction_uuid,
        each.target_kind,
        each.suppressed_at.slice(0, 10),
        endOf(each),
        countsOf(each.counts),
      ]);
      await printTable(call, layout, cells);
    }
    return 0;
  });
}

async function certificate(call: Call, redaction: string | undefined): Promise<ExitCode> {
  if (redaction === undefined)
    throw usageError('`erase --certificate` needs an ID.', 'See `contextengine erase --list`.');
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const found = await engine.erasure.certificate(redaction);
    // What is signed is the canonical JSON, so a file may be indented for those who read it.
    if (call.isJson) await printJson(call, found);
    else await printText(call, jsonText(found, 2));
    return judge(call, await engine.erasure.check(found));
  });
}

function judge(
  call: Call,
  { is_whole: isWhole, is_ours: isOurs }: Awaited<ReturnType<Erasure['check']>>,
): ExitCode {
  if (isWhole && isOurs === true)
    remark(call, 'The signature is right, by the key of this tenant.');
  else if (isWhole && isOurs === null)
    remark(call, 'The signature is right; the key of this tenant is not here to compare.');
  else remark(call, 'The signature is WRONG: it was changed, or is of another key.');
  return isWhole && isOurs !== false ? 0 : 4;
}

/** Of a file that anyone may have changed: what is no certificate is not whole. */
async function check(call: Call, file: string): Promise<ExitCode> {
  let saved: ErasureCertificate;
  try {
    const text = readFileSync(resolve(call.terminal.cwd, file), 'utf8');
    saved = JSON.parse(text) as ErasureCertificate; // `check` judges it
  } catch (cause) {
    throw usageError(
      `\`${oneLine(file)}\` is no file of JSON: ${cause instanceof Error ? cause.message : ''}`,
      'Name what `contextengine erase ID --certificate > FILE` wrote.',
    );
  }
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const verdict = await engine.erasure.check(saved);
    if (call.isJson) await printJson(call, verdict);
    const exit = judge(call, verdict);
    // Of a file, a right signature says whose it is only beside the key.
    return verdict.is_ours === null ? 4 : exit;
  });
}

async function verify(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const scan = await engine.erasure.verify(call.flags.texts('text'));
    if (call.isJson) await printJson(call, scan);
    else {
      const lines = scan.found.map(
        ({ table, column, rows }) => `${table}.${column}  ${rows} ${rows === 1 ? 'row' : 'rows'}`,
      );
      const sum = `${scan.columns} columns read, copies in ${scan.found.length}`;
      await printText(call, [...lines, sum].join('\n'));
    }
    return scan.found.length === 0 ? 0 : 4;
  });
}

async function compact(call: Call): Promise<ExitCode> {
  await withEngine(call, ({ engine }) => engine.erasure.compact());
  if (call.isJson) await printJson(call, { compacted: true });
  else remark(call, 'The files were written anew, and the log switched away.');
  return 0;
}
