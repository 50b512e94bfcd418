/**
 * The texts of the code, through the door for files of others: a FIFO, a device and a huge file are
 * findings.
 */
import type { Finding } from '../codes/finding.ts';
import { readRegularFile, refusalWords } from '../manifest/regular-file.ts';
import { fileLimit, MAX_CODE_BYTES, MAX_FILE_BYTES } from './limits.ts';
import type { TypeScript } from './typescript-module.ts';

export interface CodeTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

export function readCode(files: readonly string[]): CodeTexts {
  const texts = new Map<string, string>();
  const findings: Finding[] = [];
  let left = MAX_CODE_BYTES;
  for (const path of files) {
    const maxBytes = Math.min(MAX_FILE_BYTES, left);
    const file = readRegularFile(path, { maxBytes });
    if (file.kind === 'read') {
      left -= file.bytes.length;
      texts.set(path, file.bytes.toString('utf8'));
    } else if (file.kind === 'too_large' && left < MAX_FILE_BYTES) {
      const why = `and those before it have more than \`${MAX_CODE_BYTES}\` bytes`;
      findings.push(fileLimit(path, why));
      break;
    } else findings.push(fileLimit(path, refusalWords(file, maxBytes)));
  }
  return { texts, findings };
}

/** The compiler's own access to files, through the same door. */
export const boundedSystem = (typescript: TypeScript): TypeScript['sys'] => ({
  ...typescript.sys,
  readFile(path) {
    const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES });
    return file.kind === 'read' ? file.bytes.toString('utf8').replace(/^\ufeff/, '') : undefined;
  },
});
