// Exports that are taken while the storm goes on, and what comes of them: imported into tenants of
// their own, each must export the same again (by who imported it), answer `as_of` as the original
// does, replay, and know what was written under which key.
import { setTimeout as rest } from 'node:timers/promises';
import { createContextEngine } from '../../dist/src/index.js';

const EXPORTS = 3;
const LEAST_WRITES = 20;
/** Of each export, as many acknowledged writes are sent again. */
const REPEATED = 20;

/** Tries until it is answered: sessions are killed and the server restarts meanwhile. */
async function answered(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!error.retryable) throw error;
      await rest(50);
    }
  }
}

const opened = (url, manifests) =>
  answered(() => createContextEngine({ database: { url }, manifests }));

async function collected(lines) {
  const all = [];
  for await (const line of lines) all.push({ ...line });
  return all;
}

/**
 * Evenly over the storm, the first when `LEAST_WRITES` were acknowledged. Each is a whole one: an
 * export whose session is killed begins again.
 */
export async function takeExports({ url, manifests, scope, ms, profile, acked }) {
  const engine = await opened(url, manifests);
  const begun = performance.now();
  const taken = [];
  for (let nth = 1; nth <= EXPORTS; nth += 1) {
    await rest(Math.max(0, begun + (nth * ms) / (EXPORTS + 1) - performance.now()));
    while (acked.length < LEAST_WRITES && performance.now() < begun + ms) await rest(50);
    const call = { permission_profile: profile };
    taken.push(await answered(() => collected(engine.exportScope(scope, call))));
  }
  await engine.close();
  return taken;
}

/** Without the digest of the last line, which is made of the lines before it. */
const textOf = (lines) =>
  lines
    .map(({ end, ...line }) => JSON.stringify(end ? { end: { ...end, digest: null } } : line))
    .join('\n');

/** What others wrote stands by who imported it, and names them beside the writer. */
const asImported = (lines, { principal }) =>
  lines.map((line) =>
    line.journal === undefined || line.journal.principal === principal
      ? line
      : {
          ...line,
          journal: {
            ...line.journal,
            principal,
            writer: `import of ${line.journal.principal}: ${line.journal.writer}`,
          },
        },
  );

/** `acked`: writes to the scope, as they were sent and answered. */
export async function checkExports(taken, { url, manifests, scope, profile, acked }) {
  const engine = await opened(url, manifests);
  const problems = [];
  let repeated = 0;
  for (const [index, lines] of taken.entries()) {
    const there = { permission_profile: { ...profile, tenant: `storm-copy-${index}` } };
    const say = (what) => problems.push(`export ${index}: ${what}`);
    try {
      await engine.importScope(streamed(lines), there);
      const again = await collected(engine.exportScope(scope, there));
      if (textOf(again) !== textOf(asImported(lines, profile))) say('exported again it is another');
      await checkCopy({ engine, scope, lines, here: { permission_profile: profile }, there, say });
      repeated += await repeat({ engine, scope, lines, there, acked, say });
    } catch (error) {
      say(`${error.code ?? error.name}: ${error.message}`);
    }
  }
  await engine.close();
  // The first export of a short storm may come before the first write.
  if (repeated === 0) problems.push('no acknowledged write is in any export');
  return problems;
}

async function* streamed(lines) {
  yield* lines;
}

async function checkCopy({ engine, scope, lines, here, there, say }) {
  const { head } = lines[0];
  const journal = lines.flatMap(({ journal: entry }) => (entry ? [entry] : []));
  for (const entry of [journal[Math.floor(journal.length / 2)], journal.at(-1)]) {
    const asked = {
      scope_block_uuid: scope,
      intent: 'follow_up',
      // Without a query: word statistics are today's, and the original has gone on.
      query: '',
      as_of: entry.recorded_at,
      recorded_as_of: [{ scope, head: Math.min(head, entry.seq) }],
    };
    const [a, b] = [
      await engine.composeBlockContext({ ...asked, ...here }),
      await engine.composeBlockContext({ ...asked, ...there }),
    ];
    if (a.text !== b.text) say(`as of ${entry.recorded_at} it says otherwise`);
  }
  const request = { scope_block_uuid: scope, intent: 'follow_up', query: 'what of the wind?' };
  const now = await engine.composeBlockContext({ ...request, ...there });
  const replay = await engine.replay(now.composition_id, there);
  if (!replay.identical || replay.text !== now.text) say('its composition does not replay');
}

async function repeat({ engine, scope, lines, there, acked, say }) {
  const known = acked.filter(({ seq }) => seq <= lines[0].head).slice(-REPEATED);
  for (const { fact, uuid } of known) {
    const { receipts } = await engine.remember(scope, fact, there);
    const [{ outcome, uuid: stored }] = receipts;
    if (outcome !== 'duplicate' || stored !== uuid)
      say(`${fact.idempotency_key} written again is ${outcome} ${stored}, not ${uuid}`);
  }
  return known.length;
}
