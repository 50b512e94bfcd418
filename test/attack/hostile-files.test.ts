/**
 * Every command that reads manifests and code, over files and folders that were made to hang it, to
 * eat the memory or to bring out what stands elsewhere. Each case answers: sound, or with a code
 * that says what is wrong, within 10 s of work and 1 GB.
 *
 * The cases run in a process of their own, from dist/, because one that does not answer would take
 * the run along. A process that dies or is silent is ended, and the next goes on behind the case.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileCase, SECRET, SECRET_FILE } from '../support/hostile-case.ts';
import { hostileCode } from '../support/hostile-code.ts';
import { hostileManifests } from '../support/hostile-manifests.ts';

const CASES: readonly HostileCase[] = [...hostileManifests, ...hostileCode];
const PROCESS = fileURLToPath(new URL('../support/hostile-process.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/src/cli/run.js', import.meta.url));
const MAX_CPU_MS = 10_000;
const MAX_MB = 1024;
/** Processes side by side. */
const LANES = 3;
/** A machine that is loaded works slowly, but a wait for a FIFO is none of work. */
const SILENCE_MS = 120_000;

interface Answer {
  readonly code: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly output: string;
}

let root = '';
const answers = new Map<HostileCase, Answer>();

const folderOf = (at: number): string => join(root, String(at));

beforeAll(async () => {
  expect(existsSync(BUILT), 'dist/ is not built: run `npm run build`').toBe(true);
  root = mkdtempSync(join(tmpdir(), 'hostile-'));
  writeFileSync(join(root, SECRET_FILE), `${SECRET}\n`);
  CASES.forEach((each, at) => {
    mkdirSync(join(folderOf(at), 'manifests'), { recursive: true });
    mkdirSync(join(folderOf(at), 'src'));
    each.make(folderOf(at));
  });
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
}, 1_200_000);

afterAll(() => {
  openFolders(root);
  rmSync(root, { recursive: true, force: true });
});

/**
 * Makes every folder one that can be removed. By hand: a recursive read follows links in a circle
 * on Node 24.
 */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

interface Lane {
  readonly cases: readonly HostileCase[];
  /** Lists them for the process. */
  readonly file: string;
}

async function runLane(lane: number): Promise<void> {
  const own = CASES.map((each, at) => ({ each, at })).filter(({ at }) => at % LANES === lane);
  const file = join(root, `cases-${lane}.json`);
  const listed = own.map(({ each: { words }, at }) => ({ folder: folderOf(at), words }));
  writeFileSync(file, JSON.stringify(listed));
  const cases = own.map(({ each }) => each);
  for (let first = 0; first < cases.length; ) first = await runFrom(first, { cases, file });
}

/** Runs the cases from one on, and says with which to go on: behind one that did not answer. */
async function runFrom(first: number, { cases, file }: Lane): Promise<number> {
  const limits = ['--expose-gc', `--max-old-space-size=${MAX_MB}`];
  const child = spawn(process.execPath, [...limits, PROCESS, file, String(first)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOSTILE_SECRET: SECRET },
  });
  let next = first;
  let silence = endLater(child);
  for await (const text of createInterface({ input: child.stdout })) {
    clearTimeout(silence);
    silence = endLater(child);
    const line = JSON.parse(text);
    if (line.ended === undefined) continue;
    const answered = cases[line.ended];
    if (answered) answers.set(answered, line);
    next = line.ended + 1;
  }
  clearTimeout(silence);
  return next >= cases.length ? next : next + 1;
}

const endLater = (child: ChildProcess): NodeJS.Timeout =>
  setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);

const CODE = /\b(?:MANIFEST|BUDGET|FEATURE|LINT|CODE|CONFIG|CLI)\.[A-Z_]+\b/;
const STACK = /^\s+at .*:\d+:\d+\)?$/m;
// What drives a terminal or a workflow: an escape, or a command at the begin of a line.
const DRIVES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]|^::(?!error file=|warning file=)/m;

describe('hostile files', () => {
  it('are 200 or more, each with a name of its own', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(200);
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  it.each(CASES.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    const answer = answers.get(each);
    expect(answer, 'the process died, or did not answer').toBeDefined();
    if (!answer) return;
    expect([0, 2, 4], answer.output).toContain(answer.code);
    if (answer.code !== 0) expect(answer.output).toMatch(CODE);
    if (each.says) expect(answer.output).toContain(each.says);
    expect(answer.output).not.toMatch(STACK);
    expect(answer.output).not.toMatch(DRIVES);
    expect(answer.output).not.toContain(SECRET);
    expect(answer.cpuMs).toBeLessThan(MAX_CPU_MS);
    expect(answer.peakMb).toBeLessThan(MAX_MB);
  });

  it('says how much the largest took', () => {
    const most = (of: 'cpuMs' | 'peakMb'): string => {
      const ordered = [...answers].sort(([, a], [, b]) => b[of] - a[of]);
      return ordered
        .slice(0, 3)
        .map(([{ name }, answer]) => `${answer[of]} (${name})`)
        .join(', ');
    };
    process.stdout.write(
      `hostile files: ${answers.size} of ${CASES.length} answered; ms: ${most('cpuMs')}; MB: ${most('peakMb')}\n`,
    );
    expect(answers.size).toBe(CASES.length);
  });
});
