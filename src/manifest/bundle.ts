/**
 * The canonical bytes of a manifest: its own text and those of every file and collection that it
 * names, as one JSON text. Their SHA-256 is the digest, and they can be parsed again after every
 * file on disk has changed, which is what a replay needs.
 *
 * Invariant: `manifest.digest === sha256(manifest.source)`, and `parseManifest(manifest.source)`
 * gives the same manifest (test/unit/manifest-load.test.ts).
 */
import { createHash } from 'node:crypto';

export interface Bundle {
  readonly manifest: string;
  /** By path as the manifest writes it. */
  readonly files: Readonly<Record<string, string>>;
  /** Texts of Collection documents by name. */
  readonly collections: Readonly<Record<string, string>>;
}

const HEAD = '{"bundle":"contextengine/v1",';

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

const sorted = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

export const toBundle = ({ manifest, files, collections }: Bundle): string =>
  `${HEAD}${JSON.stringify({ manifest, files: sorted(files), collections: sorted(collections) }).slice(1)}`;

/** The parts of a bundle; undefined for any other text, such as a manifest that somebody wrote. */
export function fromBundle(text: string): Bundle | undefined {
  if (!text.startsWith(HEAD)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isBundle(value) ? value : undefined;
  } catch {
    return undefined; // no JSON after all: the YAML parser will say what it is
  }
}

const isTexts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((entry) => typeof entry === 'string');
const isBundle = (value: unknown): value is Bundle =>
  typeof value === 'object' &&
  value !== null &&
  'manifest' in value &&
  typeof value.manifest === 'string' &&
  'files' in value &&
  isTexts(value.files) &&
  'collections' in value &&
  isTexts(value.collections);
