/** What capture writes is keyed by its source, so that a repeat writes nothing twice. */
import type { Uuid } from './ids.ts';

export interface CaptureKey {
  /** Name and version of the extractor. */
  readonly consumer: string;
  readonly source: Uuid;
  readonly ordinal: number;
}

export const captureKey = ({ consumer, source, ordinal }: CaptureKey): string =>
  `capture/${consumer}/${source}/${ordinal}`;

const SOURCE = /^capture\/.+\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/\d+$/;

/** The source that a key of capture names; null = somebody else's key. It matches UUIDs alone. */
export const sourceOfKey = (key: string): Uuid | null =>
  (SOURCE.exec(key)?.[1] as Uuid | undefined) ?? null;
