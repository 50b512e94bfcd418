/** The weights of the classifier: `classes.json` and, of each bucket, a byte of each class. */
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../../codes/errors.ts';
import type { DeclineReason, MemoryClass } from '../../model/capture.ts';
import { BUCKETS, DIRECTIONS, FEATURES_VERSION } from './features.ts';

type Several<Name> = readonly [Name, ...Name[]];

export interface Weights {
  readonly classes: {
    readonly keeps: Several<Exclude<MemoryClass, 'typed'>>;
    readonly declines: Several<DeclineReason>;
  };
  /** How many classes there are. */
  readonly width: number;
  /** A row of each bucket, the bias, and a row of each number of a direction. */
  readonly table: Int8Array;
  /** What one unit of the rows of buckets and of the bias is worth. */
  readonly step: number;
  /** What one unit of the rows of a direction is worth. */
  readonly directionStep: number;
}

type Described = Weights['classes'] & {
  readonly features: number;
  readonly step: number;
  readonly direction_step: number;
};
const ROWS = BUCKETS + 1 + DIRECTIONS;

/** Throws `INFERENCE.UNAVAILABLE` where the files of the package are damaged. */
export function readWeights(folder: URL): Weights {
  try {
    const {
      features,
      step,
      direction_step: directionStep,
      ...classes
    } = JSON.parse(readFileSync(new URL('classes.json', folder), 'utf8')) as Described;
    const bytes = readFileSync(new URL('table.i8', folder));
    const width = classes.keeps.length + classes.declines.length;
    if (features !== FEATURES_VERSION || bytes.length !== ROWS * width)
      throw new Error(`${bytes.length} bytes of ${width} classes, features ${features}`);
    const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    return { classes, width, table, step, directionStep };
  } catch (cause) {
    throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
      message:
        'The weights of the gate of capture cannot be read: ' +
        `\`${cause instanceof Error ? cause.message : String(cause)}\`.`,
      fix:
        'Install contextengine again. In a bundle, keep `weights/` beside the module that reads ' +
        'it, or mark contextengine as external.',
      cause,
    });
  }
}
