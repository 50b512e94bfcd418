/** `work`: a worker of its own for what waits off the path of calls. */
import type { ContextEngine } from '../../index.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { printJson, printText, remark } from '../output.ts';
import { withWritingEngine } from '../session.ts';

export const workCommand: Command = {
  name: 'work',
  summary: 'run what waits: captures where manifests say so, and the feed of mounts',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {},
  notes: `
Runs what is due in the tenant of the profile, by its rights, and ends. Any number of workers may
run at once; run it from a timer. An engine in process works by itself after each append, and leaves
here what it did not get to. Mounts of contextengine.config.json are fed from where they stopped; an
engine in process feeds those that do not say \`"feed": "work"\` by itself.
A job that fails waits, longer each time, an hour at most, and is tried again: exit 4 says that one
did. A key that is refused costs no attempt; contextengine capture goes on once it is right.
`,
  examples: ['contextengine work', 'contextengine work --profile worker.json --json'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  return withWritingEngine<ExitCode>(call, async ({ engine, settings }) => {
    const ran = await engine.jobs.run();
    const { done, postponed } = ran;
    const mounts = Object.keys(settings.mounts.value);
    const fed = mounts.length > 0 ? await engine.mounts.feed(null) : [];
    if (call.isJson) await printJson(call, mounts.length > 0 ? { ...ran, fed } : ran);
    else {
      await printText(call, `${done} done, ${postponed.length} put off`);
      for (const { mount, rows } of fed) await printText(call, `${mount}: ${rows} rows`);
      if (postponed.length > 0) remark(call, `put off: ${[...new Set(postponed)].join(', ')}`);
      await showWaiting(call, engine);
    }
    return postponed.length > 0 ? 4 : 0;
  });
}

/** What failed before and is not due yet: no run of a worker shortens the wait. */
async function showWaiting(call: Call, engine: ContextEngine): Promise<void> {
  const jobs = await engine.jobs.list({ limit: MOST_LISTED });
  const codes = jobs.flatMap(({ state, failure }) =>
    state === 'waits' && failure ? [failure.code] : [],
  );
  if (codes.length === 0) return;
  const why = [...new Set(codes)].join(', ');
  remark(call, `${codes.length} wait to be tried again (${why}): contextengine capture list`);
}

const MOST_LISTED = 1000;
