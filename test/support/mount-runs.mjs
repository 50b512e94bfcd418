// Kills feeders of a mount of LanceDB and looks at what is left: before each change of a file or a
// table, and at random moments of each stage. Used by a test with few kills, and with many by
// CONTEXTENGINE_MOUNT_KILLS.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLancedbProjection } from '../../dist/connectors/lancedb/index.js';
import { createRandom, runProcess } from './crash-runs.mjs';
import { createHistory, SCOPE, SPACE, TENANT } from './mount-history.mjs';

const PROCESS = fileURLToPath(new URL('./mount-process.mjs', import.meta.url));
/** Entries that are new in each run: some of each kind. */
const PER_RUN = 15;
const PAGE = 1_000;
const STAGES = ['feed', 'erase', 'apply', 'upkeep', 'rebuild', 'commit'];

const child = (settings, onLine) =>
  runProcess({ args: [PROCESS, JSON.stringify(settings)], limitMs: 300_000 }, onLine).ended;

async function whole(settings) {
  const { code, lines } = await child(settings);
  const last = lines.at(-1);
  if (code !== 0 || !last?.done) throw new Error(`a feeder ended with ${code}`);
  return last;
}

async function uuidsIn(projection) {
  const position = [{ scope: SCOPE, head: Number.MAX_SAFE_INTEGER }];
  const uuids = [];
  let cursor = null;
  do {
    const page = await projection.read({
      ...{ kind: 'scan', tenant: TENANT, table: 'memory_open_set', position, limit: PAGE },
      ...(cursor !== null && { cursor }),
    });
    uuids.push(...page.rows.map(({ row }) => row.uuid));
    ({ cursor } = page);
  } while (cursor !== null);
  return uuids.sort();
}

/** What a subscription is told from the beginning to a head, by number. */
async function toldBy(projection, head) {
  const seqs = [];
  const filter = { tenant: TENANT, scopes: [SCOPE], after: [] };
  await new Promise((resolve, reject) => {
    projection
      .subscribe(filter, (some) => {
        seqs.push(...some.map(({ seq }) => seq));
        if (seqs.at(-1) >= head) resolve();
      })
      .then(({ ended }) => ended.catch(reject), reject);
  });
  return seqs;
}

/** The words and ids of what was forgotten that stand in any file of the mount. */
function secretsIn(folder, secrets) {
  if (secrets.length === 0) return [];
  const pattern = new RegExp(secrets.join('|'), 'g');
  const found = new Set();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      for (const [secret] of readFileSync(join(entry.parentPath, entry.name), 'latin1').matchAll(
        pattern,
      ))
        found.add(secret);
  return [...found];
}

/**
 * It opens; each memory is there once; of what was acknowledged as erased nothing is there, in no
 * row and no file.
 */
async function check(folder, { base, erasedHead }) {
  const problems = [];
  const projection = await createLancedbProjection({ path: folder }).connect({ space: SPACE });
  const { verdict } = await projection.health();
  if (verdict !== 'ok') problems.push(`health ${verdict}`);
  const uuids = await uuidsIn(projection);
  if (new Set(uuids).size < uuids.length) problems.push('a memory is there twice');
  await projection[Symbol.asyncDispose]();
  if (erasedHead > 0) {
    const gone = createHistory({ base, head: erasedHead });
    const back = new Set(gone.forgotten);
    problems.push(...secretsIn(folder, gone.secrets).map((secret) => `${secret} is in a file`));
    problems.push(...uuids.filter((uuid) => back.has(uuid)).map((uuid) => `${uuid} is back`));
  }
  return problems;
}

/** Runs to the end, then made again: the same rows, and none of what was forgotten in any file. */
async function finish(folder, { base, head }) {
  const history = createHistory({ base, head });
  await whole({ folder, base, head });
  const projection = await createLancedbProjection({ path: folder }).connect({ space: SPACE });
  const fed = await uuidsIn(projection);
  const told = await toldBy(projection, head);
  const left = secretsIn(folder, [...history.secrets, ...history.forgotten]);
  const isBlind = secretsIn(folder, history.standing).length < history.standing.length;
  await whole({ folder, base, head, isRebuild: true });
  const rebuilt = await uuidsIn(projection);
  const toldAgain = await toldBy(projection, head);
  await projection[Symbol.asyncDispose]();
  const all = Array.from({ length: head }, (_, n) => n + 1);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  return [
    ...(same(fed, [...history.uuids].sort()) ? [] : ['the rows are not those of the history']),
    ...(same(told, all) ? [] : ['a subscription is told other entries than those of the history']),
    ...(same(toldAgain, all) ? [] : ['a subscription is told other entries of the rebuild']),
    ...(same(rebuilt, fed) ? [] : ['a rebuild has other rows']),
    ...(isBlind ? ['what stands is not found in the files: nothing would be'] : []),
    ...left.map((secret) => `${secret} is in a file`),
    ...secretsIn(folder, [...history.secrets, ...history.forgotten]).map(
      (secret) => `${secret} is in a file of the rebuild`,
    ),
  ];
}

/**
 * `kills` feeders, one after the other, on one mount; `base` rows are there before. Every other one
 * makes the mount again as well. Half die before a change, half at a random moment of a stage.
 */
export async function killFeeders({ kills, base = 0, seed = 1, onKill = () => undefined }) {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-killed-'));
  const result = { kills: 0, ended: 0, stages: {}, problems: [] };
  let head = base + 2 * PER_RUN;
  let erasedHead = 0;
  try {
    await whole({ folder, base, head });
    head += PER_RUN;
    const { steps } = await whole({ folder, base, head, isRebuild: true });
    for (let kill = 0; kill < kills; kill += 1) {
      head += PER_RUN;
      const stage = STAGES[Math.floor(random() * STAGES.length)];
      const delayMs = random() * (stage === 'feed' ? 20 : base > 0 ? 1_500 : 200);
      const dieAt = kill % 2 === 0 ? 1 + Math.floor((kill / kills + random() / kills) * steps) : 0;
      let begun = 'start';
      const settings = { folder, base, head, dieAt, isRebuild: kill % 4 < 3 };
      const { signal } = await child(settings, (line, process) => {
        if (line.begun) begun = line.begun;
        if (line.erased) erasedHead = line.erased;
        if (dieAt === 0 && line.begun === stage) setTimeout(() => process.kill('SIGKILL'), delayMs);
      });
      if (signal === 'SIGKILL') {
        result.kills += 1;
        result.stages[begun] = (result.stages[begun] ?? 0) + 1;
      } else result.ended += 1;
      const look = async () => {
        const problems = await check(folder, { base, erasedHead });
        result.problems.push(...problems.map((problem) => `${kill} (${begun}): ${problem}`));
      };
      await look();
      // Now and then there is nothing new: what the killed one left is all there is to do.
      if (random() < 0.3) {
        await whole({ folder, base, head });
        erasedHead = head;
        await look();
      }
      onKill({ kill, begun, signal });
    }
    result.problems.push(...(await finish(folder, { base, head })));
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
