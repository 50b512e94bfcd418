import { describe, expect, it } from 'vitest';
import { timeNotes, withDays } from '../../src/compose/dated-facts.ts';
import type { AnyRow, FactRow } from '../../src/model/block.ts';
import { CAPTURED_BY, SLOT } from '../../src/model/fact-slot.ts';
import { parseUuid } from '../../src/model/ids.ts';
import type { RenderVersion } from '../../src/model/render-version.ts';

const scope = parseUuid('0190a2b4-0000-7000-8000-000000000001', 'scope');

const fact = (content: string, at: string, more: Partial<FactRow> = {}) => {
  const row = {
    ...{ content, subject: null, metadata: {}, scope_uuid: scope },
    ...{ valid_from: `${at}T00:00:00.000Z`, valid_until: null, closed_seq: null },
    ...more,
  };
  // Cast: the columns that are read.
  return { table: 'memory_open_set', row } as unknown as AnyRow & { readonly row: FactRow };
};
const shown = (facts: readonly AnyRow[], version?: RenderVersion): string[] =>
  withDays(
    facts.map((source) => ({ source })),
    version,
  ).flatMap(({ source, isDated }) => (isDated ? [(source.row as FactRow).content] : []));

describe('the day of a fact', () => {
  const rome = fact('Ada lives in Rome.', '2026-11-03');
  const oslo = fact('Ada lives in Oslo now.', '2026-11-20');

  it('is shown with those of a month that are about the same', () => {
    const roof = fact('Nobody may climb on the roof.', '2026-11-21');
    expect(shown([rome, oslo, roof]).sort()).toEqual([oslo.row.content, rome.row.content]);
    expect(shown([oslo])).toEqual([]);
    expect(shown([oslo, fact('Ada lives in Rome.', '2026-11-20')])).toEqual([]);
    expect(shown([oslo, fact('Ada lives in Rome.', '2026-10-20')])).toEqual([]);
    expect(shown([rome, oslo], 8)).toEqual([]);
  });

  it('goes by the slot of capture before the words', () => {
    const slot = (content: string, at: string, name: string) =>
      fact(content, at, { subject: 'Ada', metadata: { [CAPTURED_BY]: 'rules/9', [SLOT]: name } });
    const home = slot('Ada lives in Rome.', '2026-11-03', 'home');
    expect(shown([home, slot('Ada moved to Oslo.', '2026-11-20', 'home')])).toHaveLength(2);
    expect(shown([home, slot('Ada lives for music.', '2026-11-20', 'hobby')])).toEqual([]);
  });

  it('stands before the end, and the end where the position knows it', () => {
    const notes = (more: Partial<FactRow>, head: number, version?: RenderVersion) =>
      timeNotes(fact('x', '2026-11-03', more), {
        position: [{ scope, head }],
        isDated: true,
        version,
      });
    const valid_until = '2026-12-24T00:00:00.000Z' as FactRow['valid_until'];
    expect(notes({ valid_until }, 4)).toEqual(['3 Nov', 'until 2026-12-23']);
    expect(notes({ valid_until, closed_seq: 4 }, 4)).toEqual(['3 Nov', 'until 2026-12-23']);
    expect(notes({ valid_until }, 4, 9)).toEqual(['3 Nov', 'until 2026-12-24']);
    expect(notes({ valid_until, closed_seq: 5 }, 4)).toEqual(['3 Nov']);
    expect(notes({ valid_until }, 4, 8)).toEqual([]);
  });
});
