/** Versions of manifests and collections: as written, compared by their numbers. */
import { shown } from '../model/ids.ts';
import type { Reporter } from './reporter.ts';
import type { YamlDocument } from './yaml-document.ts';

/** The spelling of the file counts: `1.10` is not `1.1`, though YAML reads the same number. */
export function versionOf(
  document: YamlDocument,
  value: string | number | undefined,
  reporter: Reporter,
): string {
  const at = ['metadata', 'version'];
  if (value === undefined) {
    reporter.report({
      code: 'MANIFEST.NO_VERSION',
      at: ['metadata'],
      on: 'key',
      message: 'The manifest has no `metadata.version`; it counts as `0`.',
      fix:
        'Add `version: 1`, and raise it with every change, so that traces tell the versions ' +
        'apart.',
    });
    return '0';
  }
  const version = typeof value === 'string' ? value : (document.written(at) ?? String(value));
  if (!/^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/.test(version)) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `\`version\` is \`${shown(version)}\`.`,
      fix: 'Use up to 32 letters, digits, `.`, `_`, `+` and `-`, such as `3` or `1.10`.',
    });
  }
  return version;
}

/** By code units: the same on every machine. */
export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By name, the newest version of each first. */
export const newestFirst = (a: Versioned, b: Versioned): number =>
  byName(a.name, b.name) || compareVersions(b.version, a.version);

interface Versioned {
  readonly name: string;
  readonly version: string;
}

/** Negative where `a` is older: number by number, words by their letters. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(/[._+-]/), b.split(/[._+-]/)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [x = '', y = ''] = [left[index], right[index]];
    const isNumeric = /^\d*$/.test(x) && /^\d*$/.test(y);
    const difference = isNumeric ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}
