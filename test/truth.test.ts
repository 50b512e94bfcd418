import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../src/cli/commands/index.ts';
import { commandHelp } from '../src/cli/help.ts';
import { CODES } from '../src/codes/code-table.ts';
import { type ContextEngine, createContextEngine } from '../src/index.ts';
import { SCOPE_FORMAT } from '../src/look-back/scope-format.ts';
import { parseManifest } from '../src/manifest/parse.ts';
import { manifestSchema } from '../src/manifest/schema.ts';
import { codeFiles, PAGES, readRepositoryFile } from './support/source-files.ts';

const terminal = { columns: 100, paintOut: (_style: unknown, text: string) => text };
/** Pages by their path, help by the command. */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ...PAGES.map((page) => [page, readRepositoryFile(page).text] as const),
  ...(await loadCommands()).map(
    (command) => [`help ${command.name}`, commandHelp(command, terminal)] as const,
  ),
];

/** What matches in any of the texts, with where it stands. */
const named = (pattern: RegExp): readonly { readonly name: string; readonly place: string }[] =>
  TEXTS.flatMap(([place, text]) =>
    [...text.matchAll(pattern)].map(([all, first]) => ({ name: first ?? all, place })),
  );
const unknown = (
  found: ReturnType<typeof named>,
  isKnown: (name: string) => boolean,
): readonly string[] =>
  found.filter(({ name }) => !isKnown(name)).map(({ name, place }) => `${place}: ${name}`);

describe('what pages and help name', () => {
  let engine: ContextEngine;
  beforeAll(async () => {
    engine = await createContextEngine({ database: { inMemory: true }, embedder: 'off' });
  });
  afterAll(() => engine.close());

  it('codes: each is in the table', () => {
    const spaces = [...new Set(Object.keys(CODES).map((code) => code.split('.')[0]))];
    const found = named(new RegExp(`\\b(?:${spaces.join('|')})\\.[A-Z][A-Z_]+\\b`, 'g'));
    expect(found.length).toBeGreaterThan(50);
    expect(unknown(found, (name) => Object.hasOwn(CODES, name))).toEqual([]);
  });

  it('methods of the engine: each is there', () => {
    const found = named(/(?<![\w./-])engine\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)(?=[`(])/g);
    expect(found.length).toBeGreaterThan(30);
    const isThere = (path: string): boolean =>
      path.split('.').reduce<unknown>((value, key) => Object(value)[key], engine) !== undefined;
    expect(unknown(found, isThere)).toEqual([]);
  });

  it('variables: each is read, and each that is read is named', () => {
    const read = new Set(
      codeFiles(['src', 'connectors']).flatMap(({ text }) =>
        [...text.matchAll(/'(CONTEXTENGINE_[A-Z_]+)'/g)].map(([, name]) => name ?? ''),
      ),
    );
    const found = named(/\bCONTEXTENGINE_[A-Z_]+\b/g);
    expect(unknown(found, (name) => read.has(name))).toEqual([]);
    const said = new Set(found.map(({ name }) => name));
    expect([...read].filter((name) => !said.has(name))).toEqual([]);
  });

  it('the format of an export: the one that is written', () => {
    const found = named(/`contextengine\.scope\/\d+`/g);
    expect(found.length).toBeGreaterThan(0);
    expect(unknown(found, (name) => name === `\`${SCOPE_FORMAT}\``)).toEqual([]);
  });

  it('entries of the package: each is exported', () => {
    const { exports } = JSON.parse(readRepositoryFile('package.json').text);
    const found = named(/(?:from |import\()?['`](contextengine\/[a-z0-9./-]+)['`]/g).filter(
      // An `apiVersion`, and files of the installed package.
      ({ name }) => !/\/v1$|\/$|\.md$/.test(name),
    );
    expect(found.length).toBeGreaterThan(5);
    expect(unknown(found, (name) => name.replace('contextengine', '.') in exports)).toEqual([]);
  });
});

const MISSING =
  /\b(?:ha(?:s|ve) not (?:yet )?landed|not yet (?:landed|supported|available|implemented)|not (?:implemented|supported) yet|coming soon|in a (?:later|future) version)\b/i;

/** A manifest with one setting, by the name under which the schema calls it missing. */
const manifestWith = (spec: string): string => `apiVersion: contextengine/v1
kind: ContextDomain
metadata: { name: a, version: 1, scope_block_type: a }
spec: ${spec}
`;
const SETTINGS: Readonly<Record<string, string>> = {
  hype_enabled: '{ layers: { semantic: { hype_enabled: true } } }',
  veto_threshold: '{ layers: { semantic: { veto_threshold: 0.5 } } }',
  distillation: '{ layers: { recent: {} }, distillation: { policy: manual } }',
  turns_days: '{ layers: { recent: {} }, retention: { turns_days: 9 } }',
  facts_days: '{ layers: { recent: {} }, retention: { facts_days: 9 } }',
  summaries_days: '{ layers: { recent: {} }, retention: { summaries_days: 9 } }',
  layer_neighbours: '{ layers: { neighbours: {} } }',
};

/** Names of properties and definitions whose description calls them missing. */
function calledMissing(schema: unknown, name = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'description' in schema && MISSING.test(String(schema.description)) ? [name] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, value]) => calledMissing(value, key))];
}

describe('what is called missing', () => {
  it('in the schema: each is a setting that a manifest is told of, and no other is', () => {
    expect([...new Set(calledMissing(manifestSchema))].sort()).toEqual(
      Object.keys(SETTINGS).sort(),
    );
    const told = Object.entries(SETTINGS).map(([name, spec]) => {
      const { findings } = parseManifest(manifestWith(spec), { path: 'a.yaml' });
      const isTold = findings.some(
        ({ code, message }) =>
          /^FEATURE\./.test(code) && message.includes(name.replace('layer_', '')),
      );
      return [name, isTold];
    });
    expect(told.filter(([, isTold]) => isTold !== true)).toEqual([]);
  });

  it('in pages and help: nothing, but where the rule itself stands', () => {
    /** The first is generated of the schema; the second says what becomes of such a setting. */
    const rules = ['manifests/README.md', 'docs/manifests.md', 'docs/codes.md'];
    const found = TEXTS.filter(([place, text]) => !rules.includes(place) && MISSING.test(text));
    expect(found.map(([place]) => place)).toEqual([]);
  });
});

it('the README begins with what a user of the package types, and ends with the repository', () => {
  const { text } = readRepositoryFile('README.md');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  expect(blocks[0]).toMatch(/^npm install contextengine\nnpx contextengine demo\b/);
  const ofRepository = blocks.filter((block) => /^npm (?:ci|run|test|pack)\b/m.test(block));
  expect(ofRepository).toEqual(blocks.slice(-1));
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.at(-1)).toBe('Development');
});
