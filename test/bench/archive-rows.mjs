/**
 * Made-up memories for a mount: vectors around 2,000 centres (cosine about 0.78), a dozen words
 * each, in scopes of 0.1, 1, 10 and the rest of all rows. The same on every run.
 */
export const TENANT = 'bench';
export const SHARES = [0.001, 0.01, 0.1];
const CENTRES = 2_000;

const uuidOf = (n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
export const SCOPES = [...SHARES, 1].map((_, n) => uuidOf(1_000_000_000 + n));

export function createRows({ count, dimensions }) {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const unit = (values) => {
    const norm = Math.hypot(...values);
    return values.map((value) => value / norm);
  };
  const centres = Array.from({ length: CENTRES }, () =>
    unit(Array.from({ length: dimensions }, gauss)),
  );
  const near = (centre) =>
    unit(centre.map((value) => value + (gauss() * 0.8) / Math.sqrt(dimensions)));
  const scopes = new Uint8Array(count);
  const vectors = new Float32Array(count * dimensions);
  const vectorOf = (n) => vectors.subarray(n * dimensions, (n + 1) * dimensions);
  const scopeOf = () => {
    const dice = random();
    let from = 0;
    for (const [n, share] of SHARES.entries()) {
      from += share;
      if (dice < from) return n;
    }
    return SHARES.length;
  };
  /** Row `n`, made anew; its scope stays. */
  const make = (n, isNew = true) => {
    const topic = Math.floor(random() * CENTRES);
    const words = Array.from({ length: 12 }, () => `w${Math.floor(random() ** 3 * 20_000)}`);
    if (isNew) scopes[n] = scopeOf();
    vectorOf(n).set(near(centres[topic]));
    return { n, scope: scopes[n], content: `topic${topic} ${words.join(' ')}` };
  };
  /** As a mount is fed. */
  const toVersion = ({ n, scope, content }) => {
    const uuid = uuidOf(n);
    const row = {
      ...{ tenant_id: TENANT, uuid, root_uuid: uuid, scope_uuid: SCOPES[scope] },
      ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, closed_seq: null },
      ...{ recorded_seq: n + 1, retired_seq: null, superseded_by: null, cause: null },
      ...{ status: 'live', operation: 'ADD', recut_of: null },
      ...{ content, subject: null, category: 'note', class: 'fact', importance: 0.5 },
      ...{ confidence: 1, tags: [], metadata: {}, provenance: {} },
    };
    return { entry: { table: 'memory_open_set', row }, vector: Array.from(vectorOf(n)) };
  };
  return {
    ...{ count, dimensions, make, toVersion, vectorOf, random },
    numberOf: (uuid) => Number.parseInt(uuid.slice(-12), 16),
    question() {
      const topic = Math.floor(random() * CENTRES);
      return { text: `topic${topic} w12 w340`, values: near(centres[topic]) };
    },
    held: (chosen) => {
      let rows = 0;
      for (const scope of scopes) if (chosen.includes(scope)) rows += 1;
      return rows;
    },
    exact: (values, chosen) => exactly({ values, chosen, scopes, vectorOf }),
  };
}

/** The numbers of the 20 nearest, by looking at each. */
function exactly({ values, chosen, scopes, vectorOf }) {
  const query = Float32Array.from(values);
  const best = [];
  for (let n = 0; n < scopes.length; n += 1) {
    if (!chosen.includes(scopes[n])) continue;
    const vector = vectorOf(n);
    let sum = 0;
    for (let d = 0; d < query.length; d += 1) sum += query[d] * vector[d];
    if (best.length === 20 && sum <= best[19][0]) continue;
    best.push([sum, n]);
    best.sort((a, b) => b[0] - a[0]);
    if (best.length > 20) best.pop();
  }
  return best.map(([, n]) => n);
}
