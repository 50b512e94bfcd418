/** Strict parsers of what the renderer writes: each accepts its format and nothing else. */

export interface ParsedItem {
  readonly tag: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}
export interface ParsedLayer {
  readonly name: string;
  /** Words of the manifest that stand before the items; only where the caller says that the layer may have some. */
  readonly trusted: string;
  readonly items: readonly ParsedItem[];
}

const unescaped = (value: string): string =>
  value.replace(/&(?:(lt|gt|amp|quot)|#(\d+));/g, (_, name: string | undefined, code: string | undefined) =>
    code === undefined ? ({ lt: '<', gt: '>', amp: '&', quot: '"' }[name ?? ''] ?? '?') : String.fromCharCode(Number(code)),
  );
const attributesOf = (source: string): Record<string, string> =>
  Object.fromEntries([...source.matchAll(/ ([a-z][a-z0-9_]*)="([^"<>\n]*)"/g)].map((match) => [match[1] ?? '', unescaped(match[2] ?? '')]));

const XML_ITEM = /<([a-z][a-z0-9_]*)((?: [a-z][a-z0-9_]*="[^"<>\n]*")*)>([^<>]*)<\/\1>\n/y;

export interface ParseOptions {
  /** Layers that may begin with words of the manifest. */
  readonly trustedLayers?: ReadonlySet<string>;
  /** The layers that there can be; without it, whatever looks like one is one. */
  readonly layerNames?: readonly string[];
}

/** Any character out of place is an error. */
export function parseXml(source: string, { trustedLayers }: ParseOptions = {}): ParsedLayer[] {
  const parsed: ParsedLayer[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = at;
    const match = sticky.exec(source);
    if (match) at = sticky.lastIndex;
    return match;
  };
  while (at < source.length) {
    const name = take(/<([a-z][a-z0-9_]*)>\n/)?.[1];
    if (name === undefined) throw new Error(`no layer opens at ${at}`);
    const items: ParsedItem[] = [];
    let trusted = '';
    while (take(new RegExp(`</${name}>\\n`)) === null) {
      const match = take(XML_ITEM);
      if (match !== null) {
        items.push({ tag: match[1] ?? '', attributes: attributesOf(match[2] ?? ''), text: unescaped(match[3] ?? '') });
        continue;
      }
      const line = trustedLayers?.has(name) && items.length === 0 ? take(/[^\n]*\n/)?.[0] : undefined;
      if (line === undefined) throw new Error(`neither an item nor the end of ${name} at ${at}`);
      trusted += line;
    }
    parsed.push({ name, trusted, items });
  }
  return parsed;
}

interface OpenLayer {
  name: string;
  trusted: string;
  items: { tag: string; text: string; attributes: Record<string, string> }[];
}

/** Line by line, as any reader of the format would. */
export function parseMarkdown(source: string, { trustedLayers, layerNames }: ParseOptions = {}): ParsedLayer[] {
  const parsed: OpenLayer[] = [];
  let lines: string[] | undefined;
  for (const line of source.split('\n')) {
    const item = /^\[([a-z][a-z0-9_]*)((?: [a-z][a-z0-9_]*="[^"\n]*")*)\]$/.exec(line);
    const layer = parsed.at(-1);
    if (line.startsWith('>') && lines) lines.push(line === '>' ? '' : line.slice(2));
    else if (/^## [a-z][a-z0-9_]*$/.test(line) && (layerNames?.includes(line.slice(3)) ?? true))
      parsed.push({ name: line.slice(3), trusted: '', items: [] });
    else if (item) {
      lines = [];
      layer?.items.push({ tag: item[1] ?? '', attributes: attributesOf(item[2] ?? ''), text: '' });
    } else if (line !== '') {
      if (layer === undefined || layer.items.length > 0 || !trustedLayers?.has(layer.name)) throw new Error(`what is this: ${line}`);
      layer.trusted += `${line}\n`;
    }
    const last = parsed.at(-1)?.items.at(-1);
    if (last && lines) last.text = lines.join('\n');
    if (line === '') lines = undefined;
  }
  return parsed;
}
