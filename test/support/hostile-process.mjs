// One process over many hostile folders, from dist/:  node --expose-gc hostile-process.mjs
// CASES.json FIRST
//
// CASES.json: [{ folder, words }]. Prints JSON lines: {"begun":i}, then {"ended":i,"code":exit
// code,"cpuMs":…,"peakMb":…,"output":…}. The process that reads them ends one that is silent.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createPrinter } from '../../dist/src/cli/printable.js';
import { run } from '../../dist/src/cli/run.js';

const [, , file, first] = process.argv;
const cases = JSON.parse(readFileSync(file, 'utf8'));
const say = (line) => {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};

/** A terminal whose streams are a string, as test/support/memory-terminal.ts. */
function createTerminal(cwd) {
  const { clean } = createPrinter();
  let output = '';
  const add = (text) => {
    output += clean(text);
  };
  return {
    env: {},
    cwd,
    columns: 100,
    isOutTty: false,
    isErrTty: false,
    stdin: (async function* () {})(),
    out: async (text) => add(text),
    err: add,
    overwrite: add,
    paintOut: (_style, text) => text,
    paintErr: (_style, text) => text,
    now: () => Date.UTC(2026, 10, 21),
    onInterrupt: () => () => undefined,
    output: () => output,
  };
}

/** The peak since the last call where the system can forget it, else that of the process. */
function peakMb() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return kilobytes / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
function forgetPeak() {
  globalThis.gc();
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // the peak of the process is that of its largest case
  }
}

for (let at = Number(first); at < cases.length; at++) {
  const { folder, words } = cases[at];
  const terminal = createTerminal(folder);
  forgetPeak();
  say({ begun: at });
  const begun = process.cpuUsage();
  const code = await run(words, terminal);
  const { user, system } = process.cpuUsage(begun);
  const output = terminal.output();
  say({
    ended: at,
    code,
    cpuMs: Math.round((user + system) / 1000),
    peakMb: Math.round(peakMb()),
    output,
  });
}
