import { describe, expect, it } from 'vitest';
import { withDays } from '../../src/compose/dated-facts.ts';
import { inGroups } from '../../src/compose/group-items.ts';
import { headOfItem, withHeads } from '../../src/compose/shared-heads.ts';
import type { PlacedItem } from '../../src/compose/state.ts';
import { factContent } from '../../src/conformance/law-operations.ts';
import type { FactRow } from '../../src/model/block.ts';
import type { LayerSettings } from '../../src/model/manifest.ts';
import type { RenderVersion } from '../../src/model/render-version.ts';

const settings = { kind: 'open_set' } as LayerSettings;
let made = 0;
function fact(day: string, subject: string | null, content: string): PlacedItem {
  made += 1;
  const row = {
    ...factContent(content, { subject }),
    valid_from: `2026-01-${day}T08:00:00Z`,
    recorded_seq: made,
  } as unknown as FactRow;
  return {
    source: { table: 'memory_open_set', row },
    key: content,
    id: String(made),
    text: content,
    kept: null,
    tokens: 0,
    isDated: false,
  };
}
const shownAs = (items: readonly PlacedItem[], version?: RenderVersion) =>
  inGroups(settings, withHeads(settings, withDays(items), version)).map((item) => {
    const { date, about } = headOfItem(settings, item, version);
    return [item.key, date, ...(about === undefined ? [] : [about])];
  });

describe('withHeads', () => {
  it('says a day once that several facts show', () => {
    const items = [
      fact('19', 'export', 'An export waits.'),
      fact('12', null, 'Mara sings.'),
      fact('28', 'export', 'An export has one bucket.'),
      fact('19', 'export', 'The export starts at two.'),
    ];
    expect(shownAs(items)).toEqual([
      ['An export waits.', '2026-01-19'],
      ['The export starts at two.', '2026-01-19'],
      ['Mara sings.', '2026-01'],
      ['An export has one bucket.', '2026-01'],
    ]);
    expect(shownAs(items, 11).map(([, date]) => date)).toEqual(Array(4).fill('2026-01'));
  });

  it('keeps facts about the same in the order of their days', () => {
    const items = ['12', '19', '19', '28'].map((day, at) =>
      fact(day, 'export', `Export ${at} of ${day}.`),
    );
    expect(shownAs(items).map(([, date]) => date)).toEqual(Array(4).fill('2026-01'));
    expect(shownAs(items.slice(0, 3)).map(([, date]) => date)).toEqual([
      '2026-01',
      '2026-01-19',
      '2026-01-19',
    ]);
  });

  it('says a subject once that all share, or three of them', () => {
    const about = (subject: string, ...texts: string[]) =>
      texts.map((text) => fact('05', subject, text));
    expect(shownAs(about('plot', 'A came.', 'B left.'))).toEqual([
      ['A came.', '2026-01', 'plot'],
      ['B left.', '2026-01', 'plot'],
    ]);
    const two = [...about('plot', 'A came.', 'B left.'), ...about('world', 'It is cold.')];
    expect(shownAs(two).flatMap((each) => each.slice(2))).toEqual([]);
    const three = [...two, ...about('plot', 'C stays.')];
    expect(shownAs(three)).toEqual([
      ['A came.', '2026-01', 'plot'],
      ['B left.', '2026-01', 'plot'],
      ['C stays.', '2026-01', 'plot'],
      ['It is cold.', '2026-01'],
    ]);
  });

  it('depends on no order', () => {
    const items = [fact('03', 'plot', 'A.'), fact('04', 'world', 'B.'), fact('03', 'plot', 'C.')];
    const flagsOf = (some: readonly PlacedItem[]) =>
      new Map(withHeads(settings, withDays(some)).map(({ key, inHead }) => [key, inHead]));
    expect(flagsOf([...items].reverse())).toEqual(new Map([...flagsOf(items)].reverse()));
  });
});
