/** The weights of succession, made by `scripts/train-succession.mjs`. */
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../../codes/errors.ts';
import { ROW_LENGTH } from '../../inference/word-table.ts';
import { SIGNALS } from './signals.ts';

export const TOPIC_BUCKETS = 1 << 12;
/** Raise it with every change of what a statement is known by: the weights are of one version. */
export const TOPIC_FEATURES_VERSION = 1;

export interface SuccessionModel {
  readonly topics: readonly string[];
  /** A row of a byte a topic: of each bucket, the bias, and of each number of a word vector. */
  readonly table: Int8Array;
  /** What one unit of the table is worth. */
  readonly steps: { readonly words: number; readonly vector: number };
  /** Of each signal, by its name. */
  readonly weights: Readonly<Record<string, number>>;
  readonly bias: number;
}

/** Throws `INFERENCE.UNAVAILABLE` where the files of the package are damaged. */
export function readModel(folder: URL): SuccessionModel {
  try {
    const { features, ...described } = JSON.parse(
      readFileSync(new URL('model.json', folder), 'utf8'),
    ) as Omit<SuccessionModel, 'table'> & { readonly features: number };
    const bytes = readFileSync(new URL('topics.i8', folder));
    const size = (TOPIC_BUCKETS + 1 + ROW_LENGTH) * described.topics.length;
    const missing = SIGNALS.filter((name) => typeof described.weights[name] !== 'number');
    if (features !== TOPIC_FEATURES_VERSION || bytes.length !== size || missing.length > 0)
      throw new Error(`${bytes.length} bytes, features ${features}, without ${missing.join()}`);
    return {
      ...described,
      table: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    };
  } catch (cause) {
    throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
      message:
        'The weights of succession in capture cannot be read: ' +
        `\`${cause instanceof Error ? cause.message : String(cause)}\`.`,
      fix:
        'Install contextengine again. In a bundle, keep `weights/` beside the module that reads ' +
        'it, or mark contextengine as external.',
      cause,
    });
  }
}
