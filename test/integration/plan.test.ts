/** A changed manifest, tried on the requests that were made under the locked one. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Composition, ContextEngine, PermissionProfile } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const HEAD = 'apiVersion: contextengine.test/v1\nkind: ContextDomain\n';
const desk = (version: number, spec: string): string =>
  `${HEAD}metadata: { name: desk, version: ${version}, scope_block_type: desk }\nspec:\n${spec}`;
const FIRST = desk(
  1,
  `  layers: { system: { text: "Speak {{tone}} of {{product}}." }, recent: { limit: 4 }, open_set: { top_k: 2 } }
  inputs: { product: { required: true }, tone: { default: kindly } }
  intents: { refund: { layers: [recent] } }
`,
);
/** Half the turns, more facts, no refunds; an input is gone. */
const SECOND = desk(
  2,
  `  layers: { system: { text: "Speak of {{product}}." }, recent: { limit: 2 }, open_set: { top_k: 4 } }
  inputs: { product: { required: true } }
`,
);

const cwd = mkdtempSync(join(tmpdir(), 'plan-'));
const manifests = join(cwd, 'manifests');
const write = (text: string): void => writeFileSync(join(manifests, 'desk.yaml'), text);
const time: TestClock = { ms: START_MS };
const open = (): Promise<ContextEngine> =>
  createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    manifests,
    clock: () => time.ms,
    embedder: 'off',
  });

let scope = '';
let recorded: readonly Composition[] = [];

beforeAll(async () => {
  mkdirSync(manifests);
  write(FIRST);
  const engine = await open();
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'desk' }));
  const turns = Array.from({ length: 6 }, (_, n) => ({
    content: `Turn ${n} about the lamp.`,
    role: 'user',
  }));
  await engine.append(scope, turns.slice(0, 5));
  const facts = ['bright', 'green', 'heavy', 'old', 'round'].map((word) => ({
    content: `The lamp is ${word}.`,
  }));
  await engine.remember(scope, facts);
  const compose = (intent: string, inputs: Record<string, string>): Promise<Composition> => {
    time.ms += 60_000;
    return engine.composeBlockContext({
      scope_block_uuid: scope,
      intent,
      query: 'the lamp',
      inputs,
      permission_profile: LOCAL_PROFILE,
    });
  };
  recorded = [
    await compose('follow_up', { product: 'lamps' }),
    await compose('refund', { product: 'lamps' }),
    await compose('fact', { product: 'lamps', tone: 'dryly' }),
  ];
  // What comes later is not part of what was known then.
  await engine.append(scope, turns.slice(5));
  await engine.close();
});
afterAll(() => rmSync(cwd, { recursive: true }));

const ran = async (...words: string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run([...words, '--embedder', 'off'], terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};
const planned = async (...words: string[]) =>
  JSON.parse((await ran('plan', '--json', ...words)).out);

describe('preview', () => {
  const digests = { locked: '', working: '' };
  let engine: ContextEngine;
  beforeAll(async () => {
    digests.locked = recorded[0]?.manifest.digest ?? '';
    write(SECOND);
    engine = await open();
    digests.working = engine.manifests.manifests[0]?.digest ?? '';
  });
  afterAll(async () => {
    await engine.close();
    write(FIRST);
  });
  const preview = (
    options: { last?: number; profile?: PermissionProfile; against?: string } = {},
  ) =>
    engine.preview(
      {
        manifest: 'desk',
        working: digests.working,
        against: options.against ?? digests.locked,
        ...(options.last && { last: options.last }),
      },
      options.profile && { permission_profile: options.profile },
    );

  it('composes under the locked version what was composed then, word for word', async () => {
    const { against, requests } = await preview();
    expect(against).toMatchObject({ name: 'desk', version: '1' });
    expect(
      requests.map(({ before }) => 'composition' in before && before.composition.text),
    ).toEqual([...recorded].reverse().map(({ text }) => text));
  });

  it('composes under the working version what would be composed, or says why not', async () => {
    const { requests } = await preview();
    const [fact, refund, followUp] = requests.map(({ after }) => after);
    expect(fact).toMatchObject({ error: { code: 'MANIFEST.UNKNOWN_INPUT' } });
    expect(refund).toMatchObject({ error: { code: 'MANIFEST.UNKNOWN_INTENT' } });
    expect(followUp).toMatchObject({
      composition: { layers: { recent: { items: 2 }, open_set: { items: 4 } } },
    });
    expect(followUp && 'composition' in followUp && followUp.composition.text).not.toContain(
      'Turn 5',
    );
  });

  it('writes nothing: no receipt is added', async () => {
    const before = (await preview()).requests.map(({ composition_id: id }) => id);
    expect((await preview()).requests.map(({ composition_id: id }) => id)).toEqual(before);
    expect(before).toEqual([...recorded].reverse().map(({ composition_id: id }) => id));
  });

  it('takes the latest, and only of scopes that the profile holds', async () => {
    expect((await preview({ last: 1 })).requests.map(({ intent }) => intent)).toEqual(['fact']);
    const elsewhere = { ...LOCAL_PROFILE, scopes: ['00000000-0000-4000-8000-000000000001'] };
    expect((await preview({ profile: elsewhere })).requests).toEqual([]);
  });

  it('refuses who may not read, a number that is none, and a manifest that is not loaded', async () => {
    const denied = preview({ profile: { ...LOCAL_PROFILE, tiers: { reads: 'excluded' } } });
    expect((await refusalOf(denied)).code).toBe('PERMISSION.DENIED');
    expect((await refusalOf(preview({ last: 1.5 }))).code).toBe('CONFIG.INVALID_VALUE');
    const unknown = engine.preview({
      manifest: 'desc',
      working: digests.working,
      against: digests.locked,
    });
    expect(await refusalOf(unknown)).toMatchObject({
      code: 'MANIFEST.NOT_FOUND',
      message: expect.stringContaining('Did you mean `desk`?'),
    });
  });

  it('says that a version was never used', async () => {
    expect(await preview({ against: digests.working })).toEqual({ against: null, requests: [] });
  });
});

describe('plan', () => {
  it('writes a first lock, and then has nothing to say', async () => {
    expect(await planned()).toMatchObject({
      ok: true,
      written: false,
      plan: [{ name: 'desk', state: 'added', locked: null }],
    });
    expect((await ran('plan', '--write')).out).toBe(
      '+ desk 1  manifests/desk.yaml\n\nmanifests/manifests.lock.json written: desk@1\n',
    );
    expect(await ran('plan')).toMatchObject({
      code: 0,
      out: 'manifests/manifests.lock.json is current: 1 as locked\n',
    });
  });

  it('shows what compositions would change, and what it does to requests that were made', async () => {
    write(SECOND);
    const { code, out } = await ran('plan');
    const [was, refund, fact] = recorded.map(({ tokens }) => tokens.used);
    const now = (await planned()).plan[0].preview.summary.tokens.after;
    expect([code, now]).toEqual([0, expect.any(Number)]);
    const share = Math.round((now / (was ?? 0) - 1) * 100);
    expect(
      out.replaceAll(/[0-9a-f]{8} /g, 'xxxxxxxx ').replaceAll(/(?<=\S) {2,}/g, '  '),
    ).toBe(`~ desk 1 → 2  manifests/desk.yaml
  layers
    ~ open_set.top_k  2 → 4
    ~ recent.limit  4 → 2
    ~ system.text  Speak {{tone}} of {{product}}. → Speak of {{product}}.
  intents
    - refund  system, recent
  inputs
    - tone  optional

  composed (UTC)  composition  intent  tokens  items by layer
  2026-03-01 09:03  xxxxxxxx  fact  ${fact} → -  fails: MANIFEST.UNKNOWN_INPUT
  2026-03-01 09:02  xxxxxxxx  refund  ${refund} → -  fails: MANIFEST.UNKNOWN_INTENT
  2026-03-01 09:01  xxxxxxxx  follow_up  ${was} → ${now}  system reworded, recent -2, open_set +2
  1 of the last 3 requests would change, 2 no longer compose; items +3 -3; tokens ${was} → ${now} (${share} %)

1 changed, 0 as locked. Move the lock with \`contextengine plan --write\`.
`);
  });

  it('keeps to --last, and opens no database with --offline', async () => {
    expect((await planned('--last', '1')).plan[0].preview.requests).toHaveLength(1);
    expect((await planned('--offline')).plan[0]).not.toHaveProperty('preview');
    expect((await ran('plan', '--last', 'many')).code).toBe(2);
  });

  it('says when the locked version composed nothing in this database', async () => {
    const never = mkdtempSync(join(cwd, 'other-'));
    write(SECOND);
    const engine = await createContextEngine({
      database: { dataDir: never },
      manifests,
      embedder: 'off',
    });
    await engine.close();
    expect((await planned('--data-dir', never)).plan[0]).toMatchObject({
      preview: null,
      reason: expect.stringContaining('Nothing was composed under the locked version'),
    });
    const { err } = await ran('plan', '--data-dir', join(cwd, 'nowhere'));
    expect(err).toBe('No database at nowhere: no recorded requests to compose again.\n');
  });

  it('does not move the lock over a change that its version does not tell', async () => {
    write(FIRST.replace('limit: 4', 'limit: 3'));
    const lock = readFileSync(join(manifests, 'manifests.lock.json'), 'utf8');
    const { code, out } = await ran('plan', '--write');
    expect([code, out]).toEqual([
      4,
      expect.stringMatching(
        /desk 1 as before[\s\S]*desk\.yaml:3:34 {2}error .*VERSION_UNCHANGED[\s\S]*stays as it is: 1 finding\n$/,
      ),
    ]);
    expect(readFileSync(join(manifests, 'manifests.lock.json'), 'utf8')).toBe(lock);
  });

  it('moves it to a new version, and lets go of a manifest that is gone', async () => {
    write(SECOND.replace('name: desk', 'name: counter'));
    expect((await ran('plan', '--write')).out).toBe(
      '+ counter 2  manifests/desk.yaml\n- desk 1  manifests/desk.yaml\n\nmanifests/manifests.lock.json written: counter@2, -desk\n',
    );
    expect(
      Object.keys(
        JSON.parse(readFileSync(join(manifests, 'manifests.lock.json'), 'utf8')).manifests,
      ),
    ).toEqual(['counter']);
  });

  it('stops at manifests with errors, and at a lock that is none', async () => {
    writeFileSync(join(manifests, 'manifests.lock.json'), '<<<<<<<');
    expect(await ran('plan')).toMatchObject({
      code: 4,
      out: expect.stringContaining('MANIFEST.LOCK_INVALID'),
    });
    write(SECOND.replace('recent:', 'recnt:'));
    expect(await ran('plan')).toMatchObject({
      code: 4,
      out: expect.stringMatching(/^manifests\/desk\.yaml:5:\d+ {2}error/),
    });
  });
});
