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

/** Under a key of capture that somebody else wrote, what capture found could not be stored. */
export const isCaptureKey = (key: string): boolean => key.startsWith('capture/');

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PARTS = new RegExp(`^capture/(.+?)(?:/again-[^/]+)?(?:/anew-\\d+)?/(${UUID})/(\\d+)$`);

function partsOf(key: string): CaptureKey | null {
  const [, consumer, source, ordinal] = PARTS.exec(key) ?? [];
  if (consumer === undefined || source === undefined || ordinal === undefined) return null;
  // It matches UUIDs alone.
  return { consumer, source: source as Uuid, ordinal: Number(ordinal) };
}

/** The source that a key of capture names; null = somebody else's key. */
export const sourceOfKey = (key: string): Uuid | null => partsOf(key)?.source ?? null;

/** The candidate of its source that a key names, whichever attempt it is of. */
export function candidateOfKey(key: string): string | null {
  const parts = partsOf(key);
  return parts && candidateName(parts);
}
export const candidateName = ({ source, ordinal }: Omit<CaptureKey, 'consumer'>): string =>
  `${source}/${ordinal}`;

const CANDIDATE = new RegExp(`(?:/anew-\\d+)?(/${UUID}/\\d+)$`);

/** The key of what was planned anew: that of the attempt before stays with what became of it. */
export const keyAnew = (key: string, attempt: number): string =>
  isCaptureKey(key) ? key.replace(CANDIDATE, `/anew-${attempt}$1`) : key;

/** The key of the first attempt. */
export const keyOfFirst = (key: string): string =>
  isCaptureKey(key) ? key.replace(CANDIDATE, '$1') : key;

/** The key of what is captured once more because of a redaction, or of a retry, by its id. */
export const keyAgain = (key: string, because: string): string =>
  isCaptureKey(key) ? key.replace(CANDIDATE, `/again-${because}$1`) : key;

/** In the keys of what followed on a redaction, and in no others. */
export const afterPart = (redaction: Uuid): string => `/again-${redaction}/`;
