import { eastAsianWidth } from 'get-east-asian-width';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../src/cli/demo/excerpt.ts';
import { reportFailure } from '../../src/cli/failure.ts';
import { bar, layerTable } from '../../src/cli/layer-table.ts';
import { notice, remark } from '../../src/cli/output.ts';
import { oneLine } from '../../src/cli/printable.ts';
import { cut, formatMs, formatTable, widthOf, withCommas, wrap } from '../../src/cli/table.ts';
import { createProgress, wantsColour } from '../../src/cli/terminal.ts';
import { ContextEngineError, InternalError } from '../../src/index.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

describe('a table', () => {
  it('fits its columns, the flexible one giving way, wide characters counted as two', () => {
    const rows = [['1', '漢字', 'a text that is far too long for the table']];
    const text = formatTable(
      [{ title: 'n', align: 'right' }, { title: 'name' }, { title: 'text', isFlexible: true }],
      rows,
      {
        columns: 30,
      },
    );
    expect(text).toBe('n  name  text\n1  漢字  a text that is far t…');
    expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(30);
  });

  it('counts the columns of every character as Unicode has them', () => {
    const other = /[\p{M}\p{Cf}\p{Cn}\p{Cs}\p{Emoji_Presentation}]/u;
    const wrong: string[] = [];
    let compared = 0;
    for (let code = 0x20; code < 0x40000; code += 1) {
      const character = String.fromCodePoint(code);
      // Beyond the blocks of many widths: where the width changes, and one of 16 in between.
      const isEdge = [code - 1, code + 1].some((at) => eastAsianWidth(at) !== eastAsianWidth(code));
      const isCompared = code < 0x3400 || isEdge || code % 16 === 0;
      if (!isCompared || other.test(character)) continue;
      compared += 1;
      if (widthOf(character) !== eastAsianWidth(code)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(15_000);
  });

  it('goes on in further lines where a column is wrapped', () => {
    const text = formatTable(
      [{ title: 'n' }, { title: 'why', isFlexible: true, isWrapped: true }],
      [
        ['1', 'one two three four'],
        ['2', 'five'],
      ],
      { columns: 14 },
    );
    expect(text).toBe('n  why\n1  one two\n   three four\n2  five');
  });

  it('cannot be driven by stored text', () => {
    expect(oneLine('a\u001b[31mred\r\n\tb')).toBe('a␛[31mred b');
    expect(formatTable([{ title: 't' }], [['x\u001b]0;title\u0007\ny']], { columns: 40 })).toBe(
      't\nx␛]0;title␇ y',
    );
  });

  it('cuts, wraps and writes numbers', () => {
    expect([cut('abcdef', 4), cut('漢字', 3), cut('abc', 3)]).toEqual(['abc…', '漢…', 'abc']);
    expect(wrap('one two three\nfour', 9, '  ')).toBe('  one two\n  three\n  four');
    expect([
      withCommas(1_234_567),
      withCommas(12),
      formatMs(0.42),
      formatMs(42.2),
      formatMs(4200),
    ]).toEqual(['1,234,567', '12', '0.4 ms', '42 ms', '4.2 s']);
    expect([bar(0, 10), bar(10, 10), bar(1, 10_000), bar(5, 0)]).toEqual([
      '',
      '█'.repeat(24),
      '▏',
      '',
    ]);
  });
});

it('the token table sums up', () => {
  const layer = { rank: 1, budget: 100, tokens: 60, items: 2, dropped: 1, truncated: 0 };
  const tokens = {
    used: 90,
    budget: 200,
    reserved: 3192,
    exact: true,
    encoding: 'o200k_base',
  } as const;
  const text = layerTable(
    { layers: { system: layer, recent: { ...layer, tokens: 30 } }, tokens },
    { columns: 100, paint: (_, line) => line },
  );
  expect(
    text.split('\n').map((line) => line.replace(/ +/g, ' ').replace(/ ?[█▏▎▍▌▋▊▉]+/, '')),
  ).toEqual([
    'layer rank tokens of items dropped cut',
    'system 1 60 100 2 1 0',
    'recent 1 30 100 2 1 0',
    'all 90 200 4 2',
    '3,192 tokens are reserved beside them for query, response and safety; counts are exact, o200k_base.',
  ]);
});

it('the token table says why its layers do not add up', () => {
  const layer = { rank: 1, budget: 100, items: 2, dropped: 0, truncated: 0 };
  const tokens = {
    used: 99,
    budget: 200,
    reserved: 0,
    exact: true,
    encoding: 'o200k_base',
  } as const;
  const text = layerTable(
    { layers: { core: { ...layer, tokens: 29 }, recent: { ...layer, tokens: 78 } }, tokens },
    { columns: 100, paint: (_, line) => line },
  );
  expect(text.replace(/\s+/g, ' ')).toContain(
    'Each layer is counted by itself and `all` as one text, so they do not add up.',
  );
});

describe('a failure', () => {
  const report = (error: unknown, isJson = false) => {
    const terminal = memoryTerminal();
    return {
      code: reportFailure(error, terminal, isJson),
      err: terminal.errors(),
      out: terminal.output(),
    };
  };
  const error = new ContextEngineError('CLI.INPUT', {
    message: 'Malformed JSON.',
    fix: 'Correct it.',
    where: { file: 'a.jsonl', line: 3, column: 7 },
  });

  it('says what happened, what to do, where, and the code', () => {
    expect(report(error)).toEqual({
      code: 2,
      out: '',
      err: 'error  Malformed JSON.\n  fix    Correct it.\n  where  a.jsonl:3:7\n  code   CLI.INPUT\n',
    });
  });

  it('says when trying again may help, and which item of a batch', () => {
    const busy = new ContextEngineError('CONNECTOR.LOCKED', {
      message: 'Held.',
      fix: 'Wait.',
      where: { field: 'operations', index: 4 },
    });
    expect(report(busy).err).toContain(
      '  where  operations, item 4\n  code   CONNECTOR.LOCKED (trying again may help)\n',
    );
  });

  it('is one JSON object with --json', () => {
    expect(JSON.parse(report(error, true).err)).toEqual({
      code: 'CLI.INPUT',
      message: 'Malformed JSON.',
      fix: 'Correct it.',
      where: { file: 'a.jsonl', line: 3, column: 7 },
      meta: {},
      retryable: false,
    });
  });

  it('lists the findings that came with it, unless there is only the one that it tells itself', () => {
    const finding = {
      code: 'MANIFEST.UNKNOWN_KEY',
      severity: 'error',
      file: 'm.yaml',
      line: 2,
      column: 1,
      message: 'Unknown key `a`.',
      fix: 'Remove it.',
    };
    const told = (findings: readonly object[]): string =>
      report(
        new ContextEngineError('MANIFEST.INVALID', {
          message: 'broken',
          fix: 'Mend it.',
          meta: { findings },
        }),
      ).err;
    const line = '  m.yaml:2:1  error  Unknown key `a`.  MANIFEST.UNKNOWN_KEY\n    Remove it.\n';
    expect(told([finding, { ...finding, line: 3 }])).toContain(line + line.replace(':2:', ':3:'));
    expect(told([finding])).not.toContain('m.yaml');
  });

  it('is a bug when it is no error of ours, with the stack and exit code 1', () => {
    for (const bug of [
      new InternalError('Broken invariant: x'),
      new TypeError('x is not a function'),
      'thrown text',
    ]) {
      const { code, err } = report(bug);
      expect([
        code,
        err.startsWith('bug '),
        err.includes('  code   INTERNAL\n'),
        err.includes(' at '),
      ]).toEqual([1, true, true, true]);
    }
    expect(JSON.parse(report(new TypeError('no'), true).err)).toMatchObject({
      code: 'INTERNAL',
      message: 'no',
    });
  });
});

describe('a warning and a remark', () => {
  const text = 'The layer `semantic` was cut: its query is longer than what the embedder reads.';
  const code = 'SEARCH.QUERY_CUT';
  const looked = { ...memoryTerminal(), columns: 60, isErrTty: true };

  it('are wrapped under their beginning where somebody looks', () => {
    notice(looked, { label: 'warning', text, code });
    remark({ terminal: looked, isJson: false }, `  indented: ${text}\nshort`, 'dim');
    expect(looked.errors().split('\n')).toEqual([
      'warning   The layer `semantic` was cut: its query is longer',
      '          than what the embedder reads.  SEARCH.QUERY_CUT',
      '  indented: The layer `semantic` was cut: its query is',
      '  longer than what the embedder reads.',
      'short',
      '',
    ]);
  });

  it('stay on their lines for a program, and a remark is none with --json', () => {
    const terminal = memoryTerminal();
    notice(terminal, { label: 'degraded', text: `search: ${text}` });
    remark({ terminal, isJson: false }, text);
    remark({ terminal, isJson: true }, text);
    expect(terminal.errors()).toBe(`degraded  search: ${text}\n${text}\n`);
  });
});

describe('the terminal', () => {
  it('is coloured when somebody looks and nothing is against it', () => {
    expect([
      wantsColour({}, true),
      wantsColour({}, false),
      wantsColour({ NO_COLOR: '1' }, true),
      wantsColour({ CI: 'true' }, true),
      wantsColour({ TERM: 'dumb' }, true),
    ]).toEqual([true, false, false, false, false]);
    expect([
      wantsColour({ FORCE_COLOR: '1', CI: '1' }, false),
      wantsColour({ FORCE_COLOR: '0' }, true),
    ]).toEqual([true, true]);
  });

  it('shows progress only on a terminal, and takes it away', () => {
    const silent = memoryTerminal();
    createProgress(silent, false).update('x');
    expect(silent.errors()).toBe('');
    const seen = { ...memoryTerminal(), isErrTty: true };
    const progress = createProgress(seen, false);
    progress.update('half');
    progress.end();
    expect(seen.errors()).toBe('\r\u001b[Khalf\r\u001b[K');
  });
});

describe('the excerpt of a context', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
  const kept = [...lines.slice(0, 4), '… 5 more lines'];

  it('keeps the tags and the first lines of each layer', () => {
    expect(
      excerpt(
        ['<recent>', ...lines, '</recent>', '<core>', 'x'.repeat(300), '</core>', ''].join('\n'),
      ),
    ).toBe(
      ['<recent>', ...kept, '</recent>', '<core>', `${'x'.repeat(189)}…`, '</core>'].join('\n'),
    );
  });

  it('adds the first line of each of the words that it would hide', () => {
    const text = ['<recent>', ...lines, 'line 7 again', '</recent>'].join('\n');
    expect(excerpt(text, ['line 2', 'line 7', 'nowhere'])).toBe(
      [
        '<recent>',
        ...lines.slice(0, 4),
        '… 3 more lines',
        'line 7',
        '… 2 more lines',
        '</recent>',
      ].join('\n'),
    );
  });

  it('keeps the headings and the first lines of each layer, and of attributes what tells most', () => {
    for (const time of ['2026-01-02', '2026-01-02T03:04Z', '2026-01-02T03:04:05.250Z']) {
      const head = `[turn source="a" id="0190a2b4" confidence="1" time="${time}" role="user" author="ada"]`;
      expect(
        excerpt(['## recent', '', ...lines, '', '## core', '', head, '> a', '>'].join('\n')),
      ).toBe(
        [
          '## recent',
          ...kept,
          '## core',
          '[turn … 2026-01-02 role="user" author="ada"]',
          '> a',
        ].join('\n'),
      );
    }
    expect(excerpt('<fact source="a" id="b">text with id="c"</fact>')).toBe(
      '<fact …>text with id="c"</fact>',
    );
  });
});
