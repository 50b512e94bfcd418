/** Runs commands side by side in lanes, each lane in order, and tells how each went. */
import { spawn } from 'node:child_process';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} command program and arguments
 * @property {number} [timeoutMs] after which it is killed and counts as failed; 10 minutes unless told
 * @property {boolean} [isLive] its output is shown as it comes, rather than only if it fails
 * @property {Readonly<Record<string, string>>} [env] over the environment
 * @typedef {{ readonly name: string, readonly ok: boolean, readonly seconds: number }} PartResult
 */

const seconds = (sinceMs) => (performance.now() - sinceMs) / 1000;

/** @param {Part} part @returns {Promise<PartResult>} */
function runPart({ name, command, timeoutMs = 10 * 60_000, isLive = false, env = {} }) {
  const [program, ...args] = command;
  const start = performance.now();
  const output = [];
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => output.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const finish = (reason) => {
      clearTimeout(timer);
      const result = { name, ok: reason === null, seconds: seconds(start) };
      if (reason !== null && output.length > 0)
        process.stdout.write(`\n--- ${name}\n${Buffer.concat(output).toString().trimEnd()}\n---\n`);
      console.log(
        `${result.ok ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${result.seconds.toFixed(1).padStart(7)} s${reason ? `  (${reason})` : ''}`,
      );
      resolve(result);
    };
    child.on('error', (error) => finish(error.message));
    child.on('close', (code, signal) =>
      finish(
        code === 0
          ? null
          : signal === 'SIGKILL'
            ? `over ${timeoutMs / 1000} s`
            : `exit ${signal ?? code}`,
      ),
    );
  });
}

/**
 * Lanes run side by side. Within a lane the parts run in order; one that fails does not stop those
 * after it, but for `needs`.
 */
export async function runLanes(lanes) {
  const results = await Promise.all(
    lanes.map(async (parts) => {
      const done = [];
      for (const part of parts) {
        const missing = (part.needs ?? []).find(
          (name) => !done.some((result) => result.name === name && result.ok),
        );
        if (missing === undefined) done.push(await runPart(part));
        else {
          console.log(`FAIL ${part.name.padEnd(12)}          (not run: ${missing} failed)`);
          done.push({ name: part.name, ok: false, seconds: 0 });
        }
      }
      return done;
    }),
  );
  return results.flat();
}
