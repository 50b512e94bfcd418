/** A text in a file of settings: `bio: |`, and the lines of it below, indented. */
import { isBlank, type Line, MOST_OF_LINE, textAt } from './lines.ts';

const KEY = String.raw`(?:- )?["']?[A-Za-z_][\w .-]{0,40}["']?:`;
/** `bio: |`, `- about: >-`: the value stands below. */
const BLOCK = new RegExp(`^(\\s*)${KEY}\\s+(?:[&!]\\S{1,40} )?[|>][-+\\d]{0,2}\\s*(?:#.*)?$`);
/** `name: Bo` beside such a one: settings are written in small letters. */
const SETTING = /^\s*(?:- )?["']?[a-z_][\w.-]{0,40}["']?:(?:\s|$)/;
/** Settings above a text that are looked at. */
const MOST_ABOVE = 20;

/** Lines of it that begin there, or 0. */
export function yamlAt(lines: readonly Line[], at: number): number {
  const text = textAt(lines, at).slice(0, MOST_OF_LINE);
  const found = BLOCK.exec(text);
  if (found) return textEnd(lines, at, found[1]?.length ?? 0) - at;
  if (!SETTING.test(text)) return 0;
  for (let next = at + 1; next <= at + MOST_ABOVE; next += 1) {
    const line = textAt(lines, next).slice(0, MOST_OF_LINE);
    if (BLOCK.test(line)) return next - at;
    if (!SETTING.test(line)) return 0;
  }
  return 0;
}

/** Behind the last line that is indented more; where a chat trimmed them, behind the paragraph. */
function textEnd(lines: readonly Line[], at: number, indent: number): number {
  const isMore = (line: string): boolean => line.length - line.trimStart().length > indent;
  const isIndented = isMore(textAt(lines, at + 1));
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = textAt(lines, next);
    if (isBlank(line)) {
      if (!isIndented) break;
      continue;
    }
    if (isIndented && !isMore(line)) break;
    end = next + 1;
  }
  return end;
}
