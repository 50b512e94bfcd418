/**
 * LoCoMo with its questions, read as `ingest` reads it: what is evaluated is what would be stored.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LocomoConversation } from '../../../eval/index.ts';
import { inputError } from '../../ingest/input-error.ts';
import { isLocomo, openLocomo } from '../../ingest/locomo.ts';
import type { TurnRecord } from '../../ingest/record.ts';
import { parseJsonText } from '../../text/json-text.ts';

export interface LocomoData {
  readonly conversations: readonly LocomoConversation[];
  readonly dataSha256: string;
}

/** Throws `CLI.INPUT`. */
export async function readLocomo(path: string, shown: string): Promise<LocomoData> {
  const bytes = readBytes(path, shown);
  const value = parseJsonText(bytes.toString('utf8'), { file: shown, code: 'CLI.INPUT' });
  const samples = isLocomo(value) ? value : [];
  const conversations: LocomoConversation[] = [];
  for (const [index, source] of openLocomo(value, shown).entries()) {
    const turns: TurnRecord[] = [];
    for await (const record of source.records()) if (record.kind === 'turn') turns.push(record);
    conversations.push({ title: source.title, turns, questions: samples[index]?.['qa'] });
  }
  return { conversations, dataSha256: createHash('sha256').update(bytes).digest('hex') };
}

function readBytes(path: string, shown: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw inputError(
      `\`${shown}\` cannot be read.`,
      'Give the path of a readable file to `--data`.',
      { file: shown },
    );
  }
}
