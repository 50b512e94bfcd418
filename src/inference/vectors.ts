/** What every provider's vectors pass before they leave this folder. */
import { ContextEngineError } from '../codes/errors.ts';
import { type EmbeddingSpace, spaceName } from './embedder.ts';

/**
 * To length 1, in single precision: what a store keeps is then what was computed, and a cached
 * vector equals a fresh one. Throws `INFERENCE.DIMENSIONS` for another number of dimensions, a
 * number that is not finite, or a zero vector, which has no direction.
 */
export function toUnit(values: ArrayLike<unknown>, space: EmbeddingSpace): readonly number[] {
  if (values.length !== space.dimensions) {
    throw broken(
      `A vector of ${values.length} dimensions came back for \`${spaceName(space)}\`.`,
      `Set \`dimensions\` to ${values.length}, or choose the model that the stored vectors ` +
        'were made with.',
    );
  }
  const numbers: number[] = [];
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw broken(
        `Dimension ${index} of a vector for \`${spaceName(space)}\` is \`${String(value)}\`.`,
        'Check the embedding endpoint: every dimension must be a finite number.',
      );
    }
    numbers.push(value);
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length))
    throw broken(
      `A vector for \`${spaceName(space)}\` has length \`${length}\`.`,
      'Check the embedding endpoint: a vector must have a direction.',
    );
  return numbers.map((value) => Math.fround(value / length));
}

const broken = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('INFERENCE.DIMENSIONS', { message, fix });
