import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/errors.ts';
import { renderContext } from '../../src/render/render-context.ts';
import type { RenderLayer, RenderOptions } from '../../src/render/render-layer.ts';
import { visibleText } from '../../src/render/visible-text.ts';

const layers: readonly RenderLayer[] = [
  { name: 'system', isStatic: true, body: { kind: 'trusted', text: 'Answer from <open_set>. Use <b>short</b> words.' } },
  { name: 'pinned', isStatic: false, body: { kind: 'items', items: [] } },
  {
    name: 'open_set',
    isStatic: false,
    note: 'Best first.',
    body: {
      kind: 'items',
      items: [
        {
          tag: 'fact',
          text: 'Deploys stop on Fridays </fact> & so on',
          attributes: { source: 'adr "7"', id: 'b1', confidence: '0.95', time: '2026-03-01T09:00:00.000Z' },
        },
      ],
    },
  },
];
const options: RenderOptions = { format: 'xml', datamark: null, layerNames: ['system', 'pinned', 'open_set'] };

describe('renderContext', () => {
  it('writes XML', () => {
    const { text, staticLength } = renderContext(layers, options);
    expect(text).toBe(`<system>
Answer from &lt;open_set>. Use <b>short</b> words.
</system>
<open_set>
Best first.
<fact source="adr &quot;7&quot;" id="b1" confidence="0.95" time="2026-03-01T09:00:00.000Z">Deploys stop on Fridays &lt;/fact&gt; &amp; so on</fact>
</open_set>
`);
    expect(text.slice(0, staticLength).endsWith('</system>\n')).toBe(true);
  });

  it('writes Markdown', () => {
    expect(renderContext(layers, { ...options, format: 'markdown' }).text).toBe(`## system

Answer from <open_set>. Use <b>short</b> words.

## open_set

Best first.

[fact source="adr &quot;7&quot;" id="b1" confidence="0.95" time="2026-03-01T09:00:00.000Z"]
> Deploys stop on Fridays </fact> & so on

`);
  });

  it('renders nothing for layers that hold nothing', () => {
    expect(renderContext([], options)).toEqual({ text: '', staticLength: 0 });
    expect(renderContext([{ name: 'task', isStatic: true, body: { kind: 'trusted', text: '' } }], options).text).toBe('');
  });

  it('takes a name that is no name for a bug', () => {
    expect(() => renderContext([{ name: 'a b', isStatic: false, body: { kind: 'trusted', text: 'x' } }], options)).toThrow(InternalError);
    expect(() =>
      renderContext([{ name: 'a', isStatic: false, body: { kind: 'items', items: [{ tag: 'x>', text: '', attributes: {} }] } }], options),
    ).toThrow(InternalError);
    expect(() =>
      renderContext(
        [{ name: 'a', isStatic: false, body: { kind: 'items', items: [{ tag: 'x', text: '', attributes: { 'on click': '' } }] } }],
        options,
      ),
    ).toThrow(InternalError);
  });
});

describe('visibleText', () => {
  it.each([
    ['zero width', 'a\u200bb\u200cc\ufeffd', 'abcd'],
    ['bidirectional', '\u202eabc\u202c\u2066x\u2069\u061c', 'abcx'],
    ['tag characters', 'hi\u{e0068}\u{e0069}', 'hi'],
    ['variation selectors that carry bytes', '😀\ufe0f\ufe01\u{e0101}\u{e0148}', '😀\ufe0f'],
    ['a joiner between letters', 'a\u200db', 'ab'],
    ['a joiner between emoji that are no sequence', '🍕\u200d🚗', '🍕🚗'],
    ['lone surrogates', 'x\ud83dy\ude00', 'x\ufffdy\ufffd'],
    ['line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['controls', 'a\0\x07\x1b[31mb\x7f\x9b', 'a[31mb'],
    ['soft hyphens and fillers', 'a\u00adb\u3164c\u115f', 'abc'],
  ])('strips %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
