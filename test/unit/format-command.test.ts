import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { readRepositoryFile } from '../support/source-files.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-fmt-'));
  mkdirSync(join(cwd, 'manifests'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const ran = async (words: readonly string[], stdin?: string | Uint8Array) => {
  const terminal = memoryTerminal({ cwd, ...(stdin !== undefined && { stdin }) });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

const LOOSE =
  '\uFEFFkind:   ContextDomain\r\napiVersion: contextengine/v1\r\nspec: {}   # all defaults\r\nmetadata: {name: a,   scope_block_type: a, version: 1.10}\r\n';
const TIGHT =
  'apiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: a, version: 1.10, scope_block_type: a }\nspec: {} # all defaults\n';
const file = (name: string) => join(cwd, 'manifests', name);
const text = (name: string) => readFileSync(file(name), 'utf8');

describe('fmt', () => {
  it('writes what is not formatted, once', async () => {
    writeFileSync(file('a.yaml'), LOOSE);
    expect(await ran(['fmt'])).toEqual({ code: 0, out: 'wrote  manifests/a.yaml\n', err: '' });
    expect(text('a.yaml')).toBe(TIGHT);
    expect(await ran(['fmt'])).toEqual({ code: 0, out: '1 formatted already\n', err: '' });
  });

  it('writes nothing with --check, and leaves with 4', async () => {
    writeFileSync(file('a.yaml'), LOOSE);
    writeFileSync(file('b.yaml'), TIGHT);
    const { code, out } = await ran(['fmt', '--check', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      4,
      { ok: false, files: 2, unformatted: ['manifests/a.yaml'], findings: [] },
    ]);
    expect(text('a.yaml')).toBe(LOOSE);
    expect((await ran(['fmt', '--check', 'manifests/b.yaml'])).code).toBe(0);
  });

  it('never writes what is no YAML or no manifest, and formats the others', async () => {
    const broken = 'apiVersion: contextengine/v1\nkind: ContextDomain\nspec: {a: [1, }\n';
    writeFileSync(file('a.yaml'), LOOSE);
    writeFileSync(file('broken.yaml'), broken);
    writeFileSync(file('compose.yaml'), 'services:   {}\n');
    writeFileSync(file('twice.yaml'), `${TIGHT}kind: ContextDomain\n`);
    const { code, out } = await ran(['fmt']);
    expect(code).toBe(4);
    expect(out).toMatch(/^manifests\/broken\.yaml:3:\d+ {2}error/m);
    expect(out).toMatch(/^manifests\/compose\.yaml:1:1 {2}error {2}The document has no `kind`/m);
    expect(out).toMatch(/^manifests\/twice\.yaml:5:1 {2}error.*twice/m);
    expect([text('a.yaml'), text('broken.yaml'), text('compose.yaml')]).toEqual([
      TIGHT,
      broken,
      'services:   {}\n',
    ]);
  });

  it('formats a manifest that is not sound yet', async () => {
    const unsound =
      'kind: Collection\napiVersion: contextengine/v1\nmetadata: {}\nspec: { propertys: {} }\n';
    expect(await ran(['fmt', '-'], unsound)).toMatchObject({
      code: 0,
      out: 'apiVersion: contextengine/v1\nkind: Collection\nmetadata: {}\nspec: { propertys: {} }\n',
    });
  });

  it('reads stdin for `-`', async () => {
    expect(await ran(['fmt', '-'], LOOSE)).toEqual({ code: 0, out: TIGHT, err: '' });
    expect(await ran(['fmt', '-', '--check'], LOOSE)).toEqual({
      code: 4,
      out: '',
      err: 'stdin is not formatted\n',
    });
    expect(await ran(['fmt', '-', '--check'], TIGHT)).toEqual({ code: 0, out: '', err: '' });
    expect(await ran(['fmt', '-'], 'a: [')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/^<stdin>:1:\d+ {2}error/),
    });
    expect(await ran(['fmt', '-'], Uint8Array.of(0xff))).toMatchObject({
      code: 2,
      err: expect.stringContaining('UTF-8'),
    });
    expect(await ran(['fmt', '-', 'a.yaml'], TIGHT)).toMatchObject({
      code: 2,
      err: expect.stringContaining('alone'),
    });
  });

  it('says when a path is not there', async () => {
    expect(await ran(['fmt', 'nowhere'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('`nowhere`'),
    });
  });
});

describe('schema', () => {
  it('prints the schema of the package, byte for byte', async () => {
    expect(await ran(['schema'])).toEqual({
      code: 0,
      out: readRepositoryFile('manifests/schema/v1.json').text,
      err: '',
    });
  });
});
