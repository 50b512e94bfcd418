/**
 * Writes dist/vocabularies: the tokens of OpenAI's encodings as `gpt-tokenizer` publishes them, in a
 * form that is small and read in one piece (2.5 MB; the package is 30 MB with its copies for other
 * module systems).
 *
 *     node scripts/build-vocabularies.mjs
 *
 * A file is the expression that cuts a text into pieces, a line break, the number of tokens as four
 * bytes, the length of each token as one byte (0 = an unused rank), and the tokens themselves.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CL100K_TOKEN_SPLIT_REGEX,
  O200K_TOKEN_SPLIT_REGEX,
} from 'gpt-tokenizer/encodingParams/constants';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = join(ROOT, 'dist/vocabularies');
const PIECES = { cl100k_base: CL100K_TOKEN_SPLIT_REGEX, o200k_base: O200K_TOKEN_SPLIT_REGEX };
const MOST_BYTES = 255;

/** A token is stored as its text, or as its bytes where they are no UTF-8; unused ranks as holes. */
const bytesOf = (token) => Buffer.from(token ?? '');

function packed(tokens, pieces) {
  const all = Array.from(tokens, bytesOf);
  const tooLong = all.find((bytes) => bytes.length > MOST_BYTES);
  if (tooLong) throw new Error(`A token has ${tooLong.length} bytes: its length is one byte.`);
  if (pieces.flags !== 'gu') throw new Error(`The expression has the flags ${pieces.flags}.`);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(all.length);
  const lengths = Buffer.from(all.map((bytes) => bytes.length));
  return Buffer.concat([Buffer.from(`${pieces.source}\n`), count, lengths, ...all]);
}

await mkdir(TARGET, { recursive: true });
for (const [encoding, pieces] of Object.entries(PIECES)) {
  const { default: tokens } = await import(`gpt-tokenizer/bpeRanks/${encoding}`);
  const bytes = packed(tokens, pieces);
  const file = join(TARGET, `${encoding}.bin`);
  const present = await readFile(file).catch(() => null);
  // A process may be reading the file that is already right.
  if (!present?.equals(bytes)) await writeFile(file, bytes);
}
await copyFile(join(ROOT, 'node_modules/gpt-tokenizer/LICENSE'), join(TARGET, 'LICENSE'));
