/** `validate --code` from the command line: globs, formats, exit codes, the optional compiler. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import typescript from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { findCodeFiles } from '../../src/code-lint/code-files.ts';
import { loadTypeScript } from '../../src/code-lint/typescript-module.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { readRepositoryFile } from '../support/source-files.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'code-lint-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

const ran = async (...words: string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

const MANIFEST = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec:
  layers: { recent: {} }
  intents:
    refund: { layers: [recent] }
`;
const callOf = (intent: string) => `import { composeBlockContext } from 'contextengine';
export const answer = (id: string, permission_profile: any) =>
  composeBlockContext({ scope_block_uuid: id, manifest: 'notes', intent: '${intent}', query: '', permission_profile });
`;

describe('files', () => {
  const found = (...globs: string[]) => {
    const { files, unmatched } = findCodeFiles(globs, cwd);
    return [files.map((file) => relative(cwd, file)), unmatched];
  };
  beforeEach(() =>
    write({
      'src/a.ts': '',
      'src/a.test.ts': '',
      'src/deep/er/b.tsx': '',
      'src/deep/c.mjs': '',
      'src/types.d.ts': '',
      'src/notes.md': '',
      'src/[id]/d.ts': '',
      'src/.next/e.ts': '',
      'src/node_modules/x/f.ts': '',
      'lib/g.js': '',
    }),
  );

  it.each([
    [['src/**/*.ts'], ['src/[id]/d.ts', 'src/a.test.ts', 'src/a.ts']],
    [['./src/*.ts', '!**/*.test.ts'], ['src/a.ts']],
    [['{src,lib}/**/*.{tsx,js}'], ['lib/g.js', 'src/deep/er/b.tsx']],
    [['src/deep'], ['src/deep/c.mjs', 'src/deep/er/b.tsx']],
    [['src/a.ts', 'src/a.ts'], ['src/a.ts']],
    [['src/d?ep/**'], ['src/deep/c.mjs', 'src/deep/er/b.tsx']],
    [['src/[!d]*.test.ts'], ['src/a.test.ts']],
    [['**/g.js', '!lib'], []],
  ])('%j', (globs, files) => {
    expect(found(...globs)[0]).toEqual(files);
  });

  it.each([['a\0b'], ['x'.repeat(5000)]])('that cannot be read are not passed over: %j', (glob) => {
    expect(() => found(glob)).toThrow(
      expect.objectContaining({
        code: 'CONFIG.INVALID_VALUE',
        message: expect.stringContaining('cannot be read'),
      }),
    );
  });

  it('leaves out what a named folder was compiled to', () => {
    write({ 'app/code.ts': '', 'app/dist/code.js': '', 'app/src/build/plan.ts': '' });
    expect(found('app')).toEqual([['app/code.ts', 'app/src/build/plan.ts'], []]);
    expect(found('app/dist/**/*.js')).toEqual([['app/dist/code.js'], []]);
  });
  it('takes absolute globs, and tells which one matches nothing', () => {
    expect(found(`${cwd}/lib/**`, 'nowhere/**', 'src/*.md', 'src/*.d.ts')).toEqual([
      ['lib/g.js'],
      ['nowhere/**', 'src/*.md', 'src/*.d.ts'],
    ]);
  });

  it('takes braces in braces, and paths as they are written', () => {
    expect(found('src/{a,deep/{c,er/b}}.{ts,tsx,mjs}')[0]).toEqual([
      'src/a.ts',
      'src/deep/c.mjs',
      'src/deep/er/b.tsx',
    ]);
    expect(found('src/[id]/d.ts', 'src/[id]')).toEqual([['src/[id]/d.ts'], []]);
  });
});

describe('validate --code', () => {
  it('passes the sample of the README, and names the manifest to a call that names none', async () => {
    expect((await ran('init', 'support-thread')).code).toBe(0);
    const [, sample = ''] =
      /^```ts\n([\s\S]*?)^```/m.exec(readRepositoryFile('README.md').text) ?? [];
    expect(sample).toContain('composeBlockContext');
    write({ 'readme.ts': sample });
    expect((await ran('validate', '--code', 'readme.ts')).code).toBe(0);
    write({ 'readme.ts': sample.replace(/^ *manifest: .*\n/m, '') });
    expect((await ran('init', 'another')).code).toBe(0);
    rmSync(join(cwd, 'manifests/support-thread.yaml'));
    const unbound = await ran('validate', '--code', 'readme.ts', '--json');
    expect(unbound.code).toBe(4);
    expect(JSON.parse(unbound.out).findings).toMatchObject([
      { code: 'CODE.UNBOUND_CALL', fix: expect.stringContaining("`manifest: 'another'`") },
    ]);
  });

  it('leaves with 4, and prints keys of the findings as they are promised', async () => {
    write({ 'manifests/notes.yaml': MANIFEST, 'src/a.ts': callOf('refnud') });
    const { code, out } = await ran('validate', 'manifests', '--code', 'src/**/*.ts', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      4,
      {
        ok: false,
        manifests: [expect.objectContaining({ name: 'notes' })],
        collections: [],
        code: { files: 1, calls: 1 },
        findings: [
          {
            code: 'CODE.UNKNOWN_INTENT',
            severity: 'error',
            file: 'src/a.ts',
            line: 3,
            column: 74,
            message: '`notes` has no intent `refnud`.',
            fix: expect.stringContaining('Did you mean `refund`?'),
          },
        ],
      },
    ]);
  });

  it('reads the calls of an engine that is bound to a profile, and of a scope found by its key', async () => {
    write({
      'manifests/notes.yaml': MANIFEST,
      'src/a.ts': `import { createContextEngine, type PermissionProfile } from 'contextengine';
export async function answer(key: string, profile: PermissionProfile) {
  const own = (await createContextEngine()).as(profile);
  const { scope_block_uuid } = await own.scopes.getOrCreate({ type: 'note', key });
  return own.composeBlockContext({ scope_block_uuid, intent: 'refnud', query: '' });
}
`,
    });
    const { out } = await ran('validate', 'manifests', '--code', 'src', '--json');
    expect(JSON.parse(out)).toMatchObject({
      code: { files: 1, calls: 1 },
      findings: [{ code: 'CODE.UNKNOWN_INTENT', line: 5 }],
    });
  });

  it('is sound without findings, says how much was read, and reads no code without being asked', async () => {
    write({
      'manifests/notes.yaml': MANIFEST,
      'src/a.ts': callOf('refund'),
      'src/b.ts': 'export const b = 1;',
    });
    expect(await ran('validate', '--code', 'src')).toEqual({
      code: 0,
      out: 'sound: notes@1\n1 compose call in 2 files\n',
      err: '',
    });
    expect(JSON.parse((await ran('validate', '--json')).out)).not.toHaveProperty('code');
  });

  it('counts warnings against --max-warnings', async () => {
    write({ 'manifests/notes.yaml': MANIFEST, 'src/a.ts': callOf('fact') });
    const base = ['validate', '--code', 'src'];
    expect((await ran(...base)).code).toBe(0);
    expect((await ran(...base, '--max-warnings', '1')).code).toBe(0);
    expect((await ran(...base, '--max-warnings', '0')).code).toBe(4);
    expect(await ran(...base, '--max-warnings', 'few')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`few`'),
    });
    expect(await ran(...base, '--max-warnings', '1.5')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`1.5`'),
    });
  });

  it('names a glob that matches nothing', async () => {
    write({ 'manifests/notes.yaml': MANIFEST, 'src/a.ts': callOf('fact') });
    expect(await ran('validate', '--code', 'src', '--code', 'app/**/*.ts')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`--code app/**/*.ts` matches no code file.'),
    });
    expect((await ran('validate', '--code', '!src')).code).toBe(2);
  });

  it('does not mind code that does not compile', async () => {
    write({
      'manifests/notes.yaml': MANIFEST,
      'src/a.ts': `${callOf('refnud')}\nexport const broken: = ;\nfunction (`,
    });
    const { code, out } = await ran('validate', '--code', 'src', '--json');
    expect([code, JSON.parse(out).findings.length]).toEqual([4, 1]);
  });
});

describe('formats', () => {
  beforeEach(() => write({ 'manifests/notes.yaml': MANIFEST, 'src/a b.ts': callOf('50%,\\n:') }));

  it('github: one annotation a finding, with what its syntax reserves escaped', async () => {
    const { code, out } = await ran('validate', '--code', 'src', '--format', 'github');
    expect(code).toBe(4);
    expect(out.split('\n')[1]).toMatch(
      /^::error file=src\/a b\.ts,line=3,col=74,title=CODE\.UNKNOWN_INTENT::.*`50%25, :`\.%0AUse one of/,
    );
    expect(out.split('\n')[0]).toMatch(
      /^::warning file=manifests\/notes\.yaml,line=7,col=5,title=CODE\.INTENT_UNUSED::/,
    );
  });

  it('sarif 2.1.0: rules with their meaning, results with their place', async () => {
    const { out } = await ran('validate', '--code', 'src', '--format', 'sarif');
    const log = JSON.parse(out);
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'contextengine' } }, columnKind: 'utf16CodeUnits' }],
    });
    const [first, second] = log.runs[0].results;
    expect(log.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'CODE.INTENT_UNUSED',
      'CODE.UNKNOWN_INTENT',
    ]);
    expect(first).toMatchObject({ ruleId: 'CODE.INTENT_UNUSED', ruleIndex: 0, level: 'warning' });
    expect(second).toMatchObject({
      ruleId: 'CODE.UNKNOWN_INTENT',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 3, startColumn: 74 },
          },
        },
      ],
    });
  });

  it('refuses one that it does not know, and two at once', async () => {
    expect(await ran('validate', '--format', 'xml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`--format` is `xml`.'),
    });
    expect((await ran('validate', '--format', 'sarif', '--json')).code).toBe(2);
    expect(JSON.parse((await ran('validate', '--format', 'json')).out)).toMatchObject({ ok: true });
  });
});

describe('the compiler', () => {
  it('is an error with the install line where it is not installed, or in a version without its interface', async () => {
    const absent = loadTypeScript(() => Promise.reject(new Error('ERR_MODULE_NOT_FOUND')));
    await expect(absent).rejects.toMatchObject({
      code: 'CODE.MISSING_PACKAGE',
      fix: expect.stringContaining('npm install'),
    });
    for (const version of ['5.4.5', '4.9.5', '7.0.0'])
      await expect(
        loadTypeScript(async () => ({ default: { ...typescript, version } })),
      ).rejects.toThrow(`\`${version}\``);
    for (const version of ['5.5.2', '5.9.3', '6.0.3'])
      expect(
        (await loadTypeScript(async () => ({ default: { ...typescript, version } }))).version,
      ).toBe(version);
  });
});
