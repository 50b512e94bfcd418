/**
 * README.md and the pages of docs/ say what is true: their examples compile and validate, their
 * commands, scripts, files and links exist.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { flagsOf } from '../src/cli/command.ts';
import { loadCommands } from '../src/cli/commands/index.ts';
import { parseManifest } from '../src/manifest/parse.ts';
import { PAGES, ROOT, readRepositoryFile } from './support/source-files.ts';

const COMMANDS = await loadCommands();

const textOf = (page: string): string => readRepositoryFile(page).text;

interface Example {
  readonly name: string;
  readonly text: string;
}

/** Fenced blocks of a language on all pages, named by their line. */
function examples(language: string): readonly Example[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return PAGES.flatMap((page) =>
    [...textOf(page).matchAll(fence)].map((match) => ({
      name: `${page}:${textOf(page).slice(0, match.index).split('\n').length}`,
      text: match[1] ?? '',
    })),
  );
}

/** What a heading is called in a link: as GitHub and the site name it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*()]/g, '')
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Flags of the commands that a page shows, and whether the command has them. */
function flagsNamed(page: string): readonly { readonly text: string; readonly isThere: boolean }[] {
  const calls = [
    ...textOf(page).matchAll(/(?:^|`|\$ )(?:npx )?contextengine ([a-z-]+)([^`\n#&]*)/gm),
  ];
  return calls.flatMap(([, name = '', rest = '']) => {
    const command = COMMANDS.find((one) => one.name === name);
    const known = new Set(command === undefined ? [] : Object.keys(flagsOf(command)));
    return [...rest.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([flag, word = '']) => ({
      text: `${page}: contextengine ${name} ${flag}`,
      isThere: known.has(word),
    }));
  });
}

/** Links of a page that lead to no file, or to no heading of a page. */
function deadLinks(page: string): readonly string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  return links.flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
    if (anchor === undefined) return [];
    const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      anchorOf(text),
    );
    return headings.includes(anchor) ? [] : [`${page}: ${link}`];
  });
}

/** What the compiler says of modules that import `contextengine` as a user would. */
function compile(modules: readonly Example[]): readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    paths: {
      contextengine: [join(ROOT, 'src/index.ts')],
      'contextengine/ai-sdk': [join(ROOT, 'src/chat/ai-sdk.ts')],
      'contextengine/openai': [join(ROOT, 'src/chat/openai.ts')],
      'contextengine/langgraph': [join(ROOT, 'src/chat/langgraph.ts')],
      'contextengine/drizzle': [join(ROOT, 'connectors/pgvector/drizzle/index.ts')],
      'contextengine/conformance': [join(ROOT, 'src/conformance/index.ts')],
      'contextengine/connectors/lancedb': [join(ROOT, 'connectors/lancedb/index.ts')],
      'contextengine/define': [join(ROOT, 'src/define/index.ts')],
    },
  };
  const files = new Map(
    modules.map(({ name, text }) => [join(ROOT, `${name.replace(':', '-line-')}.mts`), text]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  const ours = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && files.has(file.fileName));
  return ours.map(
    ({ file, messageText }) =>
      `${file?.fileName.slice(ROOT.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

describe('the pages', () => {
  it('have an example of the one-line call, and all their TypeScript compiles', () => {
    const modules = examples('(?:ts|typescript)');
    expect(modules.some(({ text }) => text.includes('composeBlockContext'))).toBe(true);
    expect(compile(modules)).toEqual([]);
  }, 600_000);

  it('have an example of a manifest, and all of them validate', () => {
    const manifests = examples('yaml').filter(({ text }) => text.includes('kind: ContextDomain'));
    expect(manifests.length).toBeGreaterThan(0);
    const found = manifests.flatMap(
      ({ name, text }) => parseManifest(text, { path: name }).findings,
    );
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('name commands of the bin that exist', () => {
    const known = new Set(COMMANDS.map(({ name }) => name));
    const used = PAGES.flatMap((page) =>
      [...textOf(page).matchAll(/(?:^(?:\$ )?(?:npx )?|`)contextengine ([a-z-]+)/gm)].map(
        (match) => match[1] ?? '',
      ),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => name !== 'help' && !known.has(name))).toEqual([]);
  });

  it('name flags that their command has', () => {
    const named = PAGES.flatMap((page) => flagsNamed(page));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ isThere }) => !isThere).map(({ text }) => text)).toEqual([]);
  });

  it('name scripts and files that exist', () => {
    const { scripts } = JSON.parse(readRepositoryFile('package.json').text);
    const missing = PAGES.flatMap((page) => {
      const missingScripts = [...textOf(page).matchAll(/\bnpm run ([a-z:]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !(name in scripts));
      const paths = [
        ...textOf(page).matchAll(
          /`((?:src|connectors|manifests|migrations|scripts|test|examples|eval)\/[A-Za-z0-9_./-]*)`/g,
        ),
      ].map((match) => match[1] ?? '');
      return [...missingScripts, ...paths.filter((path) => !existsSync(join(ROOT, path)))].map(
        (name) => `${page}: ${name}`,
      );
    });
    expect(missing).toEqual([]);
  });

  it('are all named by the list for coding agents and by the site', () => {
    const site = textOf('docs/.vitepress/config.mts');
    const pages = PAGES.filter((page) => page.includes('/') && page.endsWith('.md'));
    expect(pages.filter((page) => !textOf('llms.txt').includes(`(${page})`))).toEqual([]);
    expect(pages.filter((page) => !site.includes(`'/${page.replace('.md', '')}'`))).toEqual([]);
  });

  it('link to files and headings that are there', () => {
    expect(PAGES.flatMap(deadLinks)).toEqual([]);
  });
});
