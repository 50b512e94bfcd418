/**
 * A case of test/attack/hostile-files.test.ts: what stands in a folder, and the command that reads
 * it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface HostileCase {
  readonly name: string;
  /** Fills the folder of the case. */
  readonly make: (folder: string) => void;
  readonly words: readonly string[];
  /** The code that the answer names; absent where several are right. */
  readonly says?: string;
}

/**
 * Stands outside of every case: in a file beside its folder, and in the environment of the process.
 */
export const SECRET = 'HOSTILE-SECRET-7F3A9C';
/** The file beside the folders of the cases. */
export const SECRET_FILE = 'secret.md';

export function put(folder: string, path: string, content: string | Buffer): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

export const domain = (spec: string, name = 'notes'): string =>
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name} }
spec: ${spec}
`;
