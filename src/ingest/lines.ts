/**
 * The lines of a file, streamed: memory holds one line and one read, whatever the file's length.
 */
import { createReadStream } from 'node:fs';
import { decodeUtf8, inputError, MAX_LINE_BYTES } from './input-error.ts';

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/**
 * Lines without their ends (`\n` or `\r\n`) and without a byte order mark. Throws `CLI.INPUT` for
 * invalid UTF-8 and for a line over the limit.
 */
export async function* readLines(path: string, shown: string): AsyncGenerator<Line> {
  let number = 0;
  let offset = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const finish = (last: Buffer): Line => {
    const bytes = waiting.length === 0 ? last : Buffer.concat([...waiting, last]);
    number += 1;
    const text = decodeUtf8(bytes, { file: shown, line: number, offset });
    offset += bytes.length + 1;
    waiting = [];
    waitingBytes = 0;
    const isMarked = number === 1 && text.startsWith('\ufeff');
    return { number, text: (isMarked ? text.slice(1) : text).replace(/\r$/, '') };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    let rest = chunk as Buffer; // no encoding is set: the stream gives buffers
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield finish(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    waitingBytes += rest.length;
    if (waitingBytes > MAX_LINE_BYTES) {
      throw inputError(
        `The line is longer than ${MAX_LINE_BYTES} bytes.`,
        'A turn holds at most 1048576 bytes of content: split it, or ingest it as a document.',
        { file: shown, line: number + 1 },
      );
    }
    if (rest.length > 0) waiting.push(Buffer.from(rest));
  }
  if (waitingBytes > 0) yield finish(Buffer.alloc(0));
}
