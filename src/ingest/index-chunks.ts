/**
 * An index of memory: each line `- [Title](file.md): hook` is an entry of its own, which may end by
 * itself (`TTL: 2026-05-15`); what stands between, and all fenced code, is cut like any text.
 */
import { fencesOf } from '../text/fences.ts';
import { chunkText } from './chunk.ts';
import { ttlEnd } from './front-matter.ts';
import type { DocumentChunk } from './record.ts';

const HOOK = /^[-*] \[([^\]\n]{1,300})\]\(([^)\s]{1,500})\)/;
const TTL = /\bTTL:[ \t]*(\d{4}-\d{2}-\d{2})/i;

/** The TTLs of its hooks, as they are written. */
export const indexTtls = (text: string): readonly string[] =>
  hooksOf(text).flatMap(({ line, hook }) => {
    const said = hook === null ? undefined : TTL.exec(line)?.[1];
    return said === undefined ? [] : [said];
  });

interface IndexLine {
  readonly line: string;
  readonly hook: RegExpExecArray | null;
}

function hooksOf(text: string): readonly IndexLine[] {
  const lines = text.split(/\r?\n/);
  const hooks = lines.map((line): IndexLine => ({ line, hook: HOOK.exec(line) }));
  for (const { from, to } of fencesOf(lines))
    for (let index = from; index < to; index++)
      hooks[index] = { line: lines[index] ?? '', hook: null };
  return hooks;
}

export function indexChunks(text: string): readonly DocumentChunk[] {
  const chunks: DocumentChunk[] = [];
  let between: string[] = [];
  const flush = (): void => {
    // A heading alone says nothing that its entries do not.
    if (between.some((line) => line.trim() !== '' && !line.startsWith('#')))
      chunks.push(...chunkText(between.join('\n')));
    between = [];
  };
  for (const { line, hook: found } of hooksOf(text)) {
    const [link = '', title, target] = found ?? [];
    if (title === undefined || target === undefined) {
      between.push(line);
      continue;
    }
    flush();
    const hook = line
      .slice(link.length)
      .trim()
      .replace(/^[:\u2013\u2014-]/, '')
      .trim();
    const untilMs = ttlEnd(TTL.exec(hook)?.[1] ?? null, 0);
    chunks.push({
      text: hook === '' ? title : `${title}: ${hook}`,
      heading: null,
      target,
      ...(untilMs !== null && { untilMs }),
    });
  }
  flush();
  return chunks;
}
