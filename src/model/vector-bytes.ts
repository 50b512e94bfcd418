/** A vector as it is stored beside the ledger: little-endian single precision. */
const FLOAT_BYTES = 4;

export function toVectorBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * FLOAT_BYTES);
  values.forEach((value, place) => {
    bytes.writeFloatLE(value, place * FLOAT_BYTES);
  });
  return bytes;
}

/** Read one by one: the bytes of an answer need not begin at a multiple of four. */
export const fromVectorBytes = (bytes: Buffer): readonly number[] =>
  Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, place) =>
    bytes.readFloatLE(place * FLOAT_BYTES),
  );
