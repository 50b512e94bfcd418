import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import type { Command } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands/index.ts';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const COMMANDS = await loadCommands();

const command: Command = {
  name: 'paint',
  summary: 'paints',
  takes: { usage: 'WALL', min: 1, max: 1 },
  usesLedger: false,
  flags: {
    colour: { type: 'string', value: 'NAME', help: '' },
    coat: { type: 'string', isMultiple: true, help: '' },
    dry: { type: 'boolean', help: '' },
  },
  examples: [],
  run: async () => 0,
};
const parse = (...words: string[]) => parseCommandLine(command, words);

describe('a command line', () => {
  it('gives flags and positionals in any order', () => {
    const { flags, positionals } = parse(
      '--colour',
      'red',
      'north',
      '--coat=a',
      '--dry',
      '--coat',
      'b',
    );
    expect([
      flags.text('colour'),
      flags.texts('coat'),
      flags.isOn('dry'),
      flags.isOn('json'),
      positionals,
    ]).toEqual(['red', ['a', 'b'], true, false, ['north']]);
  });

  it('takes everything after -- as positional, and - as one', () => {
    expect(parse('--', '--dry').positionals).toEqual(['--dry']);
    expect(parse('-').positionals).toEqual(['-']);
  });

  it('takes a value that begins with dashes only with =', () => {
    expect(parse('w', '--colour=--dry').flags.text('colour')).toBe('--dry');
    expect(() => parse('w', '--colour', '--dry')).toThrow('`--colour` needs a value.');
  });

  it.each([
    [
      ['w', '--color', 'red'],
      'Unknown flag `--color`.',
      /^Did you mean `--colour`\? Run `contextengine help paint`\.$/,
    ],
    [['w', '-x'], 'Unknown flag `-x`.', /help paint/],
    [['w', '--__proto__', 'x'], 'Unknown flag `--__proto__`.', /help paint/],
    [['w', '--colour'], '`--colour` needs a value.', /--colour NAME/],
    [['w', '--dry=1'], '`--dry` takes no value, got `1`.', /alone/],
    [['w', '--colour', 'a', '--colour', 'b'], '`--colour` is given twice.', /once/],
    [[], '`paint` needs WALL.', /contextengine paint WALL/],
    [['a', 'b'], '`paint` does not take `b`.', /Quote/],
  ])('refuses %j', (words, message, fix) => {
    expect(() => parse(...words)).toThrow(
      expect.objectContaining({ code: 'CLI.USAGE', message, fix: expect.stringMatching(fix) }),
    );
  });
});

describe('an id behind `forget`', () => {
  it.each([
    [
      '0190a2b4-7c3d-7e8f-9a0b-1c2d3e4f5a6b',
      /`--block 0190\S+` for a turn .*`--root 0190.*`--scope/,
    ],
    ['mara', /`--person mara` for a person, `--scope mara` for a scope/],
  ])('is refused with what fits: %j', (id, fix) => {
    const forget = COMMANDS.find(({ name }) => name === 'forget') ?? command;
    expect(() => parseCommandLine(forget, [id])).toThrow(
      expect.objectContaining({ code: 'CLI.USAGE', fix: expect.stringMatching(fix) }),
    );
  });
});

describe('the router', () => {
  const ran = async (...words: string[]) => {
    const terminal = memoryTerminal();
    return { code: await run(words, terminal), out: terminal.output(), err: terminal.errors() };
  };

  it('shows every command in the overview and a page for each, within 100 columns', async () => {
    const { out } = await ran();
    for (const { name } of COMMANDS) {
      expect(out).toContain(`\n  ${name} `);
      const page = await ran('help', name);
      expect(page).toEqual({ ...(await ran(name, '--help')) });
      expect(page.out).toContain(`contextengine ${name}`);
      expect(page.out.split('\n').filter((line) => line.length > 100)).toEqual([]);
    }
  });

  it('prints the version', async () => {
    expect((await ran('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('says what an unknown command could have been', async () => {
    expect(await ran('compsoe')).toEqual({
      code: 2,
      out: '',
      err: 'error  There is no command `compsoe`.\n  fix    Did you mean `compose`? Run `contextengine help`.\n  code   CLI.USAGE\n',
    });
  });

  it('gives errors as a JSON object with --json, and only then', async () => {
    const { code, out, err } = await ran('compose', '--json', '--scop', 'x');
    expect([code, out]).toEqual([2, '']);
    expect(JSON.parse(err)).toMatchObject({
      code: 'CLI.USAGE',
      message: 'Unknown flag `--scop`.',
      retryable: false,
    });
    expect((await ran('remember', '--', '--json')).err).toMatch(/^error {2}/);
  });

  it('tells that a flag stands before the command', async () => {
    expect((await ran('--json', 'compose')).err).toContain('`--json` stands before the command.');
  });
});
