/** One person under several spellings of a name: `Ada`, `ada `, `ADA`. */
import { shownName, spokenName } from './speaker.ts';

/** Without what only the keyboard tells apart. A text that is no name stays as it is. */
export function plainAuthor(author: string): string {
  const plain = shownName(author).normalize('NFC');
  return spokenName(author) === plain || spokenName(plain) === plain ? plain : author;
}

/** The same of every spelling. */
export const speakerKey = (author: string | null): string =>
  plainAuthor(author ?? 'user').toLowerCase();

/** As a chat, a form or a directory writes it; `McDonald` is found by its own spelling alone. */
export function spellingsOf(author: string): readonly string[] {
  const plain = plainAuthor(author);
  const lower = plain.toLowerCase();
  const titled = lower.replaceAll(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());
  const cases = [plain, lower, plain.toUpperCase(), titled];
  return [...new Set([author, ...cases, ...cases.map((each) => each.normalize('NFD'))])];
}
