/**
 * The lock: version, digest and settings of every manifest as somebody last approved them. A
 * manifest that changed while its version did not is found by it, and `contextengine plan` shows
 * against it what compositions would change.
 */

import { type FindingCode, severityOf } from '../codes/code-table.ts';
import type { Finding } from '../codes/finding.ts';
import { shown } from '../model/ids.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import { fromBundle, sha256 } from './bundle.ts';
import { namedManifests } from './declarations.ts';
import { parseDocuments } from './parse.ts';
import { byPosition } from './reporter.ts';
import {
  contentOfCollection,
  type Setting,
  type SettingsRecord,
  settingsOfCollection,
  settingsOfManifest,
} from './settings-record.ts';
import { byName } from './version.ts';

export interface LockEntry {
  readonly version: string;
  /** Of the bytes: what receipts name. */
  readonly digest: string;
  /** Of what the bytes say: comments, layout and the order of keys leave it as it is. */
  readonly content: string;
  /** From the folder of the lock, with `/`. */
  readonly file: string;
  readonly settings: SettingsRecord;
}
type Entries = Readonly<Record<string, LockEntry>>;

export interface Lock {
  /** By name; an older version that is loaded beside a newer one by `name@version`. */
  readonly manifests: Entries;
  readonly collections: Entries;
}

export const LOCK_FILE = 'manifests.lock.json';
const LOCK_VERSION = 1;
const KINDS = ['manifests', 'collections'] as const;
export type LockedKind = (typeof KINDS)[number];

/** The lock of a set as it stands. `fileOf` gives a path as the lock writes it. */
export function lockOf(
  set: Pick<ManifestSet, 'manifests' | 'collections'>,
  fileOf: (path: string) => string,
): Lock {
  const manifests = namedManifests(set.manifests).map(({ key, manifest }): [string, LockEntry] => [
    key,
    entryOf(manifest, fileOf, {
      content: contentOfManifest(manifest),
      settings: settingsOfManifest(manifest, set.collections),
    }),
  ]);
  const collections = Object.keys(set.collections)
    .sort()
    .flatMap((name): [string, LockEntry][] => {
      const collection = set.collections[name];
      const said = collection && {
        content: contentOfCollection(collection),
        settings: settingsOfCollection(collection),
      };
      return collection && said ? [[name, entryOf(collection, fileOf, said)]] : [];
    });
  return { manifests: Object.fromEntries(manifests), collections: Object.fromEntries(collections) };
}

const entryOf = (
  { version, digest, path }: Pick<Manifest, 'version' | 'digest' | 'path'>,
  fileOf: (path: string) => string,
  said: Pick<LockEntry, 'content' | 'settings'>,
): LockEntry => ({ version, digest, file: fileOf(path), ...said });

function contentOfManifest({ source, path }: Manifest): string {
  const bundle = fromBundle(source);
  const values = [bundle?.manifest ?? source, ...Object.values(bundle?.collections ?? {})].map(
    (text) => parseDocuments(text, path).documents[0]?.document.value,
  );
  return sha256(JSON.stringify([...values.map(keysInOrder), bundle?.files]));
}

function keysInOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysInOrder);
  if (!isRecord(value)) return value;
  return Object.entries(value)
    .sort(([a], [b]) => byName(a, b))
    .map(([key, entry]) => [key, keysInOrder(entry)]);
}

/** The text of a lock file: one value a line, so that a review and a merge see single settings. */
export const formatLock = ({ manifests, collections }: Lock): string =>
  `${JSON.stringify({ version: LOCK_VERSION, manifests, collections }, null, 2)}\n`;

/** A lock from its text, or what is wrong with it. */
export function parseLock(
  text: string,
  file: string,
): { readonly lock: Lock } | { readonly findings: readonly Finding[] } {
  const value = parseJson(text);
  const version = isRecord(value) ? value['version'] : undefined;
  const lock = isRecord(value)
    ? { manifests: value['manifests'], collections: value['collections'] }
    : {};
  if (version === LOCK_VERSION && isEntries(lock.manifests) && isEntries(lock.collections))
    return { lock: { manifests: lock.manifests, collections: lock.collections } };
  const isLater = typeof version === 'number' && version > LOCK_VERSION;
  return {
    findings: [
      {
        ...facts('MANIFEST.LOCK_INVALID', file),
        message: isLater
          ? `The lock has the version \`${version}\`; this one reads \`${LOCK_VERSION}\`.`
          : 'The lock file cannot be read.',
        fix: isLater
          ? 'Use the version of contextengine that wrote it.'
          : 'Take one side of the merge, or remove the file and write it anew with ' +
            '`contextengine plan --write`.',
      },
    ],
  };
}

/**
 * Holds the manifests of a set to the lock: an error where one changed and its version did not, a
 * warning where the lock does not know the version. What the lock holds beyond the set is not
 * looked at: a check of one file is no removal of the others.
 */
export function checkLock(
  set: Pick<ManifestSet, 'manifests' | 'collections'>,
  { text, file }: { readonly text: string; readonly file: string },
): readonly Finding[] {
  const parsed = parseLock(text, file);
  if ('findings' in parsed) return parsed.findings;
  const working = lockOf(set, (path) => path);
  const manifestAt = new Map(
    namedManifests(set.manifests).map(({ key, manifest }) => [key, placeOfVersion(manifest)]),
  );
  const check = (kind: LockedKind): readonly Finding[] =>
    Object.entries(working[kind]).flatMap(([key, entry]) => {
      const where = {
        file: entry.file,
        ...(kind === 'manifests' ? manifestAt.get(key) : undefined),
      };
      return checkEntry(nameOf(key), { entry, kind, locked: parsed.lock[kind], where });
    });
  return KINDS.flatMap(check).sort(byPosition);
}

const nameOf = (key: string): string => key.split('@')[0] ?? key;

type Where = { readonly file: string; readonly line?: number; readonly column?: number };

function checkEntry(
  name: string,
  {
    entry,
    kind,
    locked,
    where,
  }: {
    readonly entry: LockEntry;
    readonly kind: LockedKind;
    readonly locked: Entries;
    readonly where: Where;
  },
): readonly Finding[] {
  const same = Object.entries(locked).find(
    ([key, other]) => nameOf(key) === name && other.version === entry.version,
  )?.[1];
  const what = `The ${kind === 'manifests' ? 'manifest' : 'collection'} \`${name}\``;
  if (same?.digest === entry.digest) return [];
  if (same?.content === entry.content)
    return [
      {
        ...facts('MANIFEST.LOCK_BEHIND', where),
        message: `${what} differs from the locked one in comments or layout alone.`,
        fix: 'Move the lock with `contextengine plan --write`; the version may stay.',
      },
    ];
  if (same)
    return [
      {
        ...facts('MANIFEST.VERSION_UNCHANGED', where),
        message:
          `${what} differs from the locked one, and both have the version ` +
          `\`${entry.version}\`: ${differenceIn(same, entry)}.`,
        fix:
          'Raise `metadata.version`, look at `contextengine plan`, then move the lock with ' +
          '`contextengine plan --write`.',
      },
    ];
  const before = Object.hasOwn(locked, name) ? locked[name] : undefined;
  return [
    {
      ...facts('MANIFEST.LOCK_BEHIND', where),
      message: before
        ? `${what} has the version \`${entry.version}\`, the lock \`${before.version}\`.`
        : `${what} is not in the lock.`,
      fix: 'Look at `contextengine plan`, then move the lock with `contextengine plan --write`.',
    },
  ];
}

function differenceIn(locked: LockEntry, working: LockEntry): string {
  const changes = diffSettings(locked.settings, working.settings);
  const [first, ...others] = changes;
  if (!first) return 'only in words that no composition depends on';
  const change =
    `\`${first.path}\` \`${shown(first.before ?? 'absent')}\` → ` +
    `\`${shown(first.after ?? 'absent')}\``;
  return others.length === 0 ? change : `${change} and ${others.length} more`;
}

export interface SettingChange {
  readonly path: string;
  /** null where only the other has it. */
  readonly before: Setting | null;
  readonly after: Setting | null;
}

/** What differs between two records, by path. */
export function diffSettings(
  before: SettingsRecord,
  after: SettingsRecord,
): readonly SettingChange[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const value = (record: SettingsRecord, path: string): Setting | null =>
    Object.hasOwn(record, path) ? (record[path] ?? null) : null;
  return paths
    .map((path) => ({ path, before: value(before, path), after: value(after, path) }))
    .filter((change) => change.before !== change.after);
}

/** Where a manifest says its version. */
function placeOfVersion(manifest: Manifest): { readonly line: number; readonly column: number } {
  const [parsed] = parseDocuments(
    fromBundle(manifest.source)?.manifest ?? manifest.source,
    manifest.path,
  ).documents;
  const { line, column } = parsed?.document.locator.position(['metadata', 'version'], 'value') ?? {
    line: 1,
    column: 1,
  };
  return { line: line + (manifest.line ?? 1) - 1, column };
}

const facts = (code: FindingCode<'pin'>, where: Where | string) => ({
  code,
  severity: severityOf(code),
  line: 1,
  column: 1,
  ...(typeof where === 'string' ? { file: where } : where),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what it is not
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEntries = (value: unknown): value is Entries =>
  isRecord(value) &&
  Object.values(value).every(
    (entry) =>
      isRecord(entry) &&
      [entry['version'], entry['digest'], entry['content'], entry['file']].every(
        (part) => typeof part === 'string',
      ) &&
      isRecord(entry['settings']) &&
      Object.values(entry['settings']).every((setting) =>
        ['string', 'number', 'boolean'].includes(typeof setting),
      ),
  );
