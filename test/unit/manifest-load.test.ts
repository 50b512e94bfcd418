import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { sha256 } from '../../src/manifest/bundle.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { resolveManifest } from '../../src/manifest/resolve.ts';
import type { Manifest } from '../../src/model/manifest.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextengine-load-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}
const domain = (name: string, { version = '1', scope = name, spec = '{}' } = {}): string =>
  `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: ${name}, version: ${version}, scope_block_type: ${scope} }\nspec: ${spec}\n`;
const collection = (name: string, property = 'a'): string =>
  `apiVersion: contextengine.test/v1\nkind: Collection\nmetadata: { name: ${name}, version: 1 }\nspec: { properties: { ${property}: { type: text } } }\n`;
const load = (...paths: string[]) => loadManifests({ paths: paths.length > 0 ? paths : [folder] });
const codes = (of: {
  readonly findings: readonly { readonly code: string; readonly line: number }[];
}): string[] => of.findings.map(({ code, line }) => `${code} ${line}`);

describe('loadManifests', () => {
  it('finds files in folders, all documents of a file, and the collections that they name', () => {
    put(
      'a.yaml',
      `${domain('one')}---\n# second\n${domain('two', { spec: '{ layers: { schema_typed: { collection: people } } }' })}---\n`,
    );
    put('deep/er/b.yml', collection('people'));
    put('node_modules/c.yaml', '[');
    put('.hidden/c.yaml', '[');
    put('notes.txt', '[');
    const set = load();
    expect(set.findings).toEqual([]);
    expect(set.manifests.map((manifest) => manifest.name)).toEqual(['one', 'two']);
    expect(Object.keys(set.collections)).toEqual(['people']);
  });

  it('keeps lines of later documents, and good manifests beside bad ones', () => {
    put('a.yaml', `${domain('one')}---\n${domain('two', { spec: '{ nope: 1 }' })}`);
    const set = load();
    expect(codes(set)).toEqual(['MANIFEST.UNKNOWN_KEY 9']);
    expect(set.manifests.map((manifest) => manifest.name)).toEqual(['one']);
  });

  it('says what cannot be read, and goes on', () => {
    put('bad.yaml', Buffer.concat([Buffer.from('a: 1\nb: '), Buffer.from([0xff, 0xfe])]));
    put('empty.yaml', '');
    put('huge.yaml', `# ${'x'.repeat(5_000_000)}\n`);
    put('ok.yaml', domain('one'));
    symlinkSync(join(folder, 'gone'), join(folder, 'link.yaml'));
    const set = load(folder, join(folder, 'absent'));
    expect(
      set.findings.map(
        ({ code, file, line, column }) =>
          `${code} ${file.slice(folder.length + 1)}:${line}:${column}`,
      ),
    ).toEqual([
      'MANIFEST.MISSING absent:1:1',
      'MANIFEST.SYNTAX bad.yaml:2:4',
      'MANIFEST.MISSING empty.yaml:1:1',
      'MANIFEST.LIMIT huge.yaml:1:1',
      'MANIFEST.MISSING link.yaml:1:1',
    ]);
    expect(set.manifests).toHaveLength(1);
  });

  it('reads one file once, however it is named', () => {
    const path = put('a.yaml', domain('one'));
    symlinkSync(path, join(folder, 'b.yaml'));
    expect(load(folder, path)).toMatchObject({ findings: [], manifests: [{ name: 'one' }] });
  });

  it('refuses the same manifest or collection twice, and warns of two for one scope type', () => {
    put('a.yaml', domain('one'));
    put(
      'b.yaml',
      `${domain('one')}---\n${collection('people')}---\n${collection('people', 'b')}---\n${domain('one', { version: '2' })}---\n${domain('other', { scope: 'one' })}`,
    );
    const set = load();
    expect(codes(set)).toEqual([
      'MANIFEST.DUPLICATE 3',
      'MANIFEST.DUPLICATE 13',
      'MANIFEST.AMBIGUOUS_SCOPE 23',
    ]);
    expect(set.manifests.map(({ name, version }) => `${name}@${version}`)).toEqual([
      'one@1',
      'one@2',
      'other@1',
    ]);
  });

  it('reads files below the folder of the manifest; other bytes than text are refused', () => {
    put('a.yaml', domain('one', { spec: '{ layers: { core: { file: sub/core.md } } }' }));
    put('sub/core.md', 'Be kind.\n');
    expect(load().manifests[0]?.layers.find((layer) => layer.name === 'core')?.file?.content).toBe(
      'Be kind.\n',
    );
    put('sub/core.md', Buffer.from([0xc3, 0x28]));
    expect(codes(load())).toEqual(['MANIFEST.MISSING 4']);
  });

  it.each([
    ['up', '../secret.md'],
    ['up and down', 'sub/../../secret.md'],
    ['a link', './link.md'],
    ['a linked folder', 'linked/secret.md'],
    ['the environment of the process', './environ'],
    ['a device', './zero'],
    ['a folder', './sub'],
  ])('reads nothing outside the folder of the manifest: %s', (_name, file) => {
    put('m/a.yaml', domain('one', { spec: `{ layers: { core: { file: ${file} } } }` }));
    put('m/sub/x.md', 'x');
    put('secret.md', 'the secret\n');
    symlinkSync(join(folder, 'secret.md'), join(folder, 'm/link.md'));
    symlinkSync(folder, join(folder, 'm/linked'));
    symlinkSync('/proc/self/environ', join(folder, 'm/environ'));
    symlinkSync('/dev/zero', join(folder, 'm/zero'));
    const set = load(join(folder, 'm/a.yaml'));
    expect(codes(set)).toEqual(['MANIFEST.MISSING 4']);
    expect(JSON.stringify(set)).not.toContain('the secret');
  });
});

describe('the digest', () => {
  const spec = '{ layers: { core: { file: ./core.md }, schema_typed: { collection: people } } }';
  function loadOne(): Manifest {
    const [manifest] = load().manifests;
    if (!manifest) throw new Error(JSON.stringify(load().findings));
    return manifest;
  }

  it('covers the manifest, its files and its collections, and nothing else', () => {
    put('a.yaml', domain('one', { spec }));
    put('b.yaml', collection('people'));
    put('core.md', 'a\n');
    const first = loadOne();
    expect(first.digest).toBe(sha256(first.source));
    put('c.yaml', collection('others'));
    expect(loadOne().digest).toBe(first.digest);
    put('core.md', 'b\n');
    const second = loadOne();
    put('b.yaml', collection('people', 'b'));
    const third = loadOne();
    put('a.yaml', `${domain('one', { spec })}# a remark\n`);
    expect(new Set([first, second, third, loadOne()].map((manifest) => manifest.digest)).size).toBe(
      4,
    );
  });

  it('the source brings back the same manifest after every file is gone', () => {
    put('a.yaml', domain('one', { spec }));
    put('b.yaml', collection('people'));
    put('core.md', 'a\n');
    const before = loadOne();
    rmSync(folder, { recursive: true, force: true });
    const after = parseManifest(before.source, { path: before.path });
    expect(JSON.stringify(after.manifest)).toBe(JSON.stringify(before));
    expect(after.collections.map((entry) => entry.name)).toEqual(['people']);
  });
});

describe('resolveManifest', () => {
  const failure = (reference: string | undefined, scopeBlockType: string): ContextEngineError => {
    try {
      resolveManifest(load(), { scopeBlockType, reference });
    } catch (error) {
      if (error instanceof ContextEngineError) return error;
      throw error;
    }
    throw new Error('it resolved');
  };

  it('takes the newest version for the scope type, or the one that is named', () => {
    put(
      'a.yaml',
      ['1.9', '1.10', '1.2']
        .map((version) => domain('chat', { version, scope: 'chat_session' }))
        .join('---\n'),
    );
    const set = load();
    const version = (reference?: string): string =>
      resolveManifest(set, { scopeBlockType: 'chat_session', reference }).version;
    expect([version(), version('chat'), version('chat@1.2')]).toEqual(['1.10', '1.10', '1.2']);
  });

  it('says what there is', () => {
    put('a.yaml', `${domain('chat', { scope: 'chat_session' })}---\n${domain('book')}`);
    expect(failure(undefined, 'chat_sesion')).toMatchObject({
      code: 'MANIFEST.NOT_FOUND',
      fix: expect.stringContaining('Did you mean `chat_session`?'),
    });
    expect(failure('chta', 'chat_session')).toMatchObject({
      code: 'MANIFEST.NOT_FOUND',
      fix: expect.stringContaining('`chat`'),
    });
    expect(failure('chat@7', 'chat_session')).toMatchObject({
      code: 'MANIFEST.NOT_FOUND',
      fix: expect.stringContaining('`chat@1`'),
    });
    expect(failure('book', 'chat_session')).toMatchObject({
      code: 'MANIFEST.NOT_FOUND',
      message: expect.stringContaining('`book`'),
    });
  });

  it('never picks between two names by itself', () => {
    put('a.yaml', `${domain('a', { scope: 's' })}---\n${domain('b', { scope: 's' })}`);
    expect(failure(undefined, 's').code).toBe('MANIFEST.INVALID');
    expect(resolveManifest(load(), { scopeBlockType: 's', reference: 'b' }).name).toBe('b');
  });
});
