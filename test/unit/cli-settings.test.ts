import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFlags } from '../../src/cli/arguments.ts';
import { readProfile } from '../../src/cli/session.ts';
import { readSettings, shownDatabase } from '../../src/cli/settings.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-settings-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const config = (value: unknown): void =>
  writeFileSync(
    join(cwd, 'contextengine.config.json'),
    typeof value === 'string' ? value : JSON.stringify(value),
  );
const settings = (flags: Record<string, string> = {}, env: Record<string, string> = {}) =>
  readSettings(
    createFlags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]]))),
    { cwd, env },
  );

describe('settings', () => {
  it('are an embedded database and the manifests of the package by default', () => {
    const found = settings();
    expect(found.database).toEqual({
      value: { dataDir: join(cwd, '.contextengine') },
      origin: 'default',
    });
    expect(found.manifests.value[0]).toMatch(/manifests$/);
    expect([found.embedder.value, found.profile.value, found.tenant.value]).toEqual([
      'builtin',
      null,
      null,
    ]);
  });

  it('go flags over environment over config file over default, each with its origin', () => {
    config({
      data_dir: 'conf',
      manifests: 'm',
      tenant: 'conf',
      embedder: 'off',
      profile: 'p.json',
    });
    expect(settings()).toEqual({
      database: { value: { dataDir: join(cwd, 'conf') }, origin: 'contextengine.config.json' },
      mounts: { value: {}, origin: 'default' },
      embeddingCache: { value: 'database', origin: 'default' },
      manifests: { value: [join(cwd, 'm')], origin: 'contextengine.config.json' },
      embedder: { value: 'off', origin: 'contextengine.config.json' },
      extractor: { value: 'rules', origin: 'default' },
      timeZone: { value: 'UTC', origin: 'default' },
      profile: { value: join(cwd, 'p.json'), origin: 'contextengine.config.json' },
      overrides: { value: '', origin: 'default' },
      tenant: { value: 'conf', origin: 'contextengine.config.json' },
      stateDir: join(cwd, '.contextengine'),
    });
    const env = {
      CONTEXTENGINE_DATA_DIR: '/env',
      CONTEXTENGINE_MANIFESTS: ['a', '/b'].join(delimiter),
      CONTEXTENGINE_TENANT: 'env',
      CONTEXTENGINE_EMBEDDER: 'builtin',
    };
    expect(settings({}, env)).toMatchObject({
      database: { value: { dataDir: '/env' } },
      manifests: { value: [join(cwd, 'a'), '/b'], origin: 'environment CONTEXTENGINE_MANIFESTS' },
      embedder: { value: 'builtin' },
      tenant: { value: 'env' },
      stateDir: '/env',
    });
    const url = { CONTEXTENGINE_DATABASE_URL: 'postgres://x' };
    expect(settings({ 'data-dir': 'flag', tenant: 'flag' }, { ...env, ...url })).toMatchObject({
      database: { value: { dataDir: join(cwd, 'flag') }, origin: 'flag --data-dir' },
      tenant: { value: 'flag', origin: 'flag --tenant' },
    });
  });

  it('leave the DATABASE_URL of the application alone, and take an empty variable as none', () => {
    const env = { CONTEXTENGINE_DATABASE_URL: '', DATABASE_URL: 'postgres://theirs' };
    expect(settings({}, env).database.origin).toBe('default');
    expect(settings({}, { ...env, CONTEXTENGINE_DATABASE_URL: 'postgres://ours' })).toMatchObject({
      database: {
        value: { url: 'postgres://ours' },
        origin: 'environment CONTEXTENGINE_DATABASE_URL',
      },
    });
  });

  it('take the variable that the file names, and refuse one that is not set', () => {
    config({ database_url: 'env:DATABASE_URL' });
    expect(settings({}, { DATABASE_URL: 'postgres://theirs' }).database).toEqual({
      value: { url: 'postgres://theirs' },
      origin: 'contextengine.config.json (environment DATABASE_URL)',
    });
    expect(() => settings({}, { DATABASE_URL: '' })).toThrow(
      expect.objectContaining({
        code: 'CONFIG.INVALID_VALUE',
        message: '`database_url` is `"env:DATABASE_URL"`.',
        fix: expect.stringContaining('Set DATABASE_URL'),
      }),
    );
  });

  it.each([
    'postgres://me:secret@db/app',
    'postgres://me:p@secret@db/app',
    'postgres://me:p/secret@db/app',
    'postgres://me:1/secret@db/app',
    'postgres://db/app?password=secret',
    'host=db password=secret',
  ])('show no password, however it is spelled: %s', (url) => {
    expect(shownDatabase({ url })).not.toContain('secret');
  });

  it('show host, port and database', () => {
    expect(shownDatabase({ url: 'postgres://me:secret@db/app' })).toBe('postgresql://db:5432/app');
  });

  it.each([
    [
      { databaseurl: 'x' },
      'CONFIG.UNKNOWN_KEY',
      'unknown key `databaseurl`',
      /Did you mean `database_url`/,
    ],
    [{ zebra: 1 }, 'CONFIG.UNKNOWN_KEY', 'unknown key `zebra`', /^Use database_url/],
    [{ tenant: 5 }, 'CONFIG.INVALID_VALUE', '`tenant` is `5`.', /as a text/],
    [{ manifests: [] }, 'CONFIG.INVALID_VALUE', '`manifests` is `[]`.', /list of paths/],
    [{ embedder: 'magic' }, 'CONFIG.INVALID_VALUE', '`"magic"`', /Use `builtin`/],
    [
      { embedder: { provider: 'openai', model: 'm', dimensions: 3, key: 'x' } },
      'CONFIG.INVALID_VALUE',
      'openai',
      /OPENAI_API_KEY/,
    ],
    ['[1]', 'CONFIG.INVALID_VALUE', '`[1]`', /object/],
    ['{\n  "tenant": x\n}', 'CONFIG.INVALID_VALUE', 'Malformed JSON', /Correct/],
  ])('refuse the config %j', (value, code, message, fix) => {
    config(value);
    expect(() => settings()).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining(message),
        fix: expect.stringMatching(fix),
      }),
    );
  });

  it('know an embedder of any OpenAI-compatible endpoint', () => {
    config({
      embedder: { provider: 'openai', model: 'm', dimensions: 3, base_url: 'http://localhost:1' },
    });
    expect(settings().embedder.value).toEqual({
      provider: 'openai',
      model: 'm',
      dimensions: 3,
      baseUrl: 'http://localhost:1',
    });
  });

  it.each([
    ['embedder', { provider: 'openai', model: 'm', dimensions: 3 }],
    ['extractor', { provider: 'openai', model: 'm' }],
  ])('send the key of the environment to no host that the file alone names: %s', (field, named) => {
    const key = { OPENAI_API_KEY: 'secret' };
    const at = (base_url: string) => config({ [field]: { ...named, base_url } });
    at('https://elsewhere.example/v1');
    expect(() => settings({}, key)).toThrow(
      expect.objectContaining({
        code: 'CONFIG.INVALID_VALUE',
        message: expect.stringContaining('`https://elsewhere.example`, which would get'),
        fix: expect.stringContaining('OPENAI_BASE_URL'),
      }),
    );
    expect(() => settings({}, key)).not.toThrow(/secret/);
    expect(() => settings()).not.toThrow();
    const meant = { ...key, OPENAI_BASE_URL: 'https://elsewhere.example/v1' };
    expect(() => settings({}, meant)).not.toThrow();
    at('https://elsewhere.example.evil.example/v1');
    expect(() => settings({}, meant)).toThrow();
    for (const own of ['https://api.openai.com/v1', 'http://127.0.0.1:1/v1']) {
      at(own);
      expect(() => settings({}, key)).not.toThrow();
    }
  });

  it('know a local model, its folder relative to the project', () => {
    const named = {
      provider: 'transformers',
      model: 'm',
      dimensions: 3,
      dtype: 'q8',
      pooling: 'cls',
    } as const;
    config({
      embedder: {
        ...named,
        local_path: 'models/m',
        query_prefix: 'query: ',
        document_prefix: 'passage: ',
      },
    });
    const expected = {
      ...named,
      localPath: join(cwd, 'models/m'),
      queryPrefix: 'query: ',
      documentPrefix: 'passage: ',
    };
    expect(settings().embedder.value).toEqual(expected);
    config({ embedder: { ...named, batch: 3 } });
    expect(() => settings()).toThrow(
      expect.objectContaining({
        code: 'CONFIG.INVALID_VALUE',
        fix: expect.stringContaining('local_path'),
      }),
    );
  });

  it('refuse two databases', () => {
    expect(() => settings({ 'data-dir': 'a', 'database-url': 'b' })).toThrow(
      expect.objectContaining({ code: 'CLI.USAGE' }),
    );
  });
});

describe('the profile', () => {
  const profile = (flags: Record<string, string>, env: Record<string, string> = {}) =>
    readProfile(settings(flags, env), { cwd });

  it('is a human who holds the tenant on the embedded database, and only there', () => {
    expect(profile({})).toEqual({
      principal: 'local',
      tenant: 'local',
      kind: 'human',
      scopes: '*',
    });
    expect(profile({ tenant: 'acme' }).tenant).toBe('acme');
    expect(() => profile({}, { CONTEXTENGINE_DATABASE_URL: 'postgres://x' })).toThrow(
      expect.objectContaining({
        code: 'PERMISSION.PROFILE_MISSING',
        message: expect.stringContaining('environment CONTEXTENGINE_DATABASE_URL'),
      }),
    );
  });

  it('is what the file says, of the tenant that is asked for', () => {
    const claim = { principal: 'bot', tenant: 'acme', kind: 'service', scopes: [] };
    writeFileSync(join(cwd, 'p.json'), JSON.stringify(claim));
    expect(profile({ profile: 'p.json', 'database-url': 'postgres://x' })).toEqual(claim);
    expect(() => profile({ profile: 'p.json', tenant: 'other' })).toThrow(
      expect.objectContaining({
        code: 'CONFIG.INVALID_VALUE',
        message: expect.stringContaining('`acme`'),
      }),
    );
  });

  it('must be a readable JSON file', () => {
    expect(() => profile({ profile: 'none.json' })).toThrow(
      expect.objectContaining({ code: 'PERMISSION.PROFILE_MISSING', where: { file: 'none.json' } }),
    );
    writeFileSync(join(cwd, 'bad.json'), '{,}');
    expect(() => profile({ profile: 'bad.json' })).toThrow(
      expect.objectContaining({
        code: 'PERMISSION.INVALID_PROFILE',
        where: { file: 'bad.json', line: 1, column: 2 },
      }),
    );
  });
});
