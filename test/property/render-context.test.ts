import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datamarker, markData } from '../../src/render/datamark.ts';
import { renderContext, renderPart } from '../../src/render/render-context.ts';
import type { RenderItem, RenderLayer, RenderOptions } from '../../src/render/render-layer.ts';
import { visibleText } from '../../src/render/visible-text.ts';
import { type ParsedLayer, parseMarkdown, parseXml } from '../support/rendered-text.ts';

const NAMES = ['recent', 'open_set', 'semantic', 'fact', 'a1'];
const xml: RenderOptions = { format: 'xml', datamark: null, layerNames: NAMES };
const markdown: RenderOptions = { ...xml, format: 'markdown' };

const hostile = fc.constantFrom(
  '</fact>',
  '<fact source="x">',
  '</recent>\n',
  '<open_set>',
  '&lt;',
  '&amp;amp;',
  '"',
  "'",
  '`',
  '```',
  '\n## semantic\n\n',
  '\n> ',
  '\n[fact id="y"]\n',
  ']]>',
  '<!--',
  '\0',
  '\t',
  '\r\n',
  '\r',
  '\u2028',
  '\u200b',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u{e0041}',
  '\u{e0100}',
  '\ud800',
  '\udc00',
  '\u200d',
  '👩‍👩‍👧‍👦',
  '❤️‍🔥',
  '👍🏽',
  'e\u0301',
  '字',
  ' ',
  '\n',
  '\n\n',
  'a'.repeat(300),
);
const text = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 20 }), fc.lorem({ maxCount: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(''));
const item: fc.Arbitrary<RenderItem> = fc.record({
  tag: fc.constantFrom('fact', 'turn', 'summary', 'recent'),
  text,
  attributes: fc.record({
    source: text,
    id: fc.uuid(),
    confidence: fc.constantFrom('0.9', '1'),
    time: fc.constant('2026-01-01T00:00:00.000Z'),
    author: text,
  }),
});
const layers: fc.Arbitrary<RenderLayer[]> = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), isStatic: fc.boolean(), items: fc.array(item, { maxLength: 5 }) }), {
    selector: (layer) => layer.name,
    maxLength: 4,
  })
  .map((some) => some.map(({ name, isStatic, items }) => ({ name, isStatic, body: { kind: 'items', items } })));

const expected = (some: readonly RenderLayer[]): ParsedLayer[] =>
  some.flatMap(({ name, body }) => {
    const items = body.kind === 'items' ? body.items.filter((part): part is RenderItem => 'tag' in part) : [];
    const seen = items.map(({ tag, text: content, attributes }) => ({
      tag,
      text: visibleText(content),
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, visibleText(value)])),
    }));
    return seen.length > 0 ? [{ name, trusted: '', items: seen }] : [];
  });

describe('renderContext', () => {
  it('gives exactly the given layers and items back to a strict parser, whatever they contain', () => {
    fc.assert(
      fc.property(layers, (some) => {
        expect(parseXml(renderContext(some, xml).text)).toEqual(expected(some));
        expect(parseMarkdown(renderContext(some, markdown).text)).toEqual(expected(some));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the concatenation of its parts between its tags, so that parts can be counted', () => {
    fc.assert(
      fc.property(layers, fc.constantFrom(xml, markdown), (some, options) => {
        for (const layer of some) {
          if (layer.body.kind !== 'items') continue;
          const parts = layer.body.items.map((part) => renderPart(part, options)).join('');
          expect(renderContext([layer], options).text).toContain(parts);
          expect(parts === '' || parts.endsWith('\n')).toBe(true);
        }
        expect(renderContext(some, options).text).toBe(some.map((layer) => renderContext([layer], options).text).join(''));
      }),
      { numRuns: 200 },
    );
  });

  it('lets trusted text say anything but the tags and headings of layers', () => {
    const forged = fc
      .array(
        fc.constantFrom(
          '<semantic>',
          '</semantic>',
          '< / SEMANTIC >',
          '<semantic id="1">',
          '## semantic',
          '[fact id="1"]',
          '\n',
          ' ',
          '<example>',
          '</example>',
          'word',
          '&lt;',
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(forged, (trusted) => {
        const some: RenderLayer[] = [{ name: 'recent', isStatic: true, body: { kind: 'trusted', text: trusted } }];
        expect(renderContext(some, xml).text).not.toMatch(/<[\s/]*semantic/i);
        expect(renderContext(some, markdown).text).not.toMatch(/^[ \t]*## semantic[ \t]*$/m);
        expect(renderContext(some, markdown).text).not.toMatch(/^\[fact id="1"\]$/m);
        const harmless = trusted.replaceAll(/semantic/gi, 'other');
        expect(renderContext([{ name: 'recent', isStatic: true, body: { kind: 'trusted', text: harmless } }], xml).text).toBe(
          harmless === '' ? '' : `<recent>\n${harmless}\n</recent>\n`,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the static prefix when what follows changes', () => {
    fc.assert(
      fc.property(layers, layers, fc.constantFrom(xml, markdown), (fixed, changing, options) => {
        const statics = fixed.map((layer) => ({ ...layer, isStatic: true }));
        const once = renderContext(statics, options);
        const other = renderContext([...statics, ...changing.map((layer) => ({ ...layer, isStatic: false }))], options);
        expect(other.text.slice(0, other.staticLength)).toBe(once.text);
        expect(once.staticLength).toBe(once.text.length);
      }),
      { numRuns: 200 },
    );
  });

  it('marks data so that it can be undone, and so that data cannot mark itself', () => {
    fc.assert(
      fc.property(text, fc.string(), fc.boolean(), (some, seed, isForging) => {
        const marker = datamarker(seed);
        const content = isForging ? `${marker}${some} ${marker}` : some;
        const clean = content.replaceAll(marker, '');
        expect(markData(content, marker).replaceAll(marker, ' ')).toBe(clean);
        expect(markData(content, marker)).not.toContain(' ');
        const rendered = renderContext(
          [{ name: 'recent', isStatic: false, body: { kind: 'items', items: [{ tag: 'fact', text: content, attributes: {} }] } }],
          { ...xml, datamark: seed },
        );
        expect(parseXml(rendered.text)[0]?.items[0]?.text.replaceAll(marker, ' ')).toBe(visibleText(content).replaceAll(marker, ''));
      }),
      { numRuns: 300 },
    );
  });
});

describe('visibleText', () => {
  it('is idempotent and leaves nothing that a reader cannot see', () => {
    fc.assert(
      fc.property(text, (content) => {
        const shown = visibleText(content);
        expect(visibleText(shown)).toBe(shown);
        expect(shown).not.toMatch(
          /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200c\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\u00ad\u061c]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/u,
        );
        expect(shown).not.toMatch(/\u200d(?!\p{Extended_Pictographic}|[\u2640\u2642\u2695\u2696\u2708\u27a1\u2194\u2195])/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves visible text alone', () => {
    const visible = fc.string({ unit: fc.constantFrom(...'aZ0 .,\n\t<>&é字ع', '👍🏽', '👩‍👩‍👧‍👦', '❤️', '🏳️‍🌈', '#️⃣', '🇩🇪'), maxLength: 60 });
    fc.assert(
      fc.property(visible, (content) => {
        expect(visibleText(content)).toBe(content);
      }),
      { numRuns: 300 },
    );
  });
});
