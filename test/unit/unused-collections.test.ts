import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadUnused } from '../support/unused-collection.ts';

const folder = mkdtempSync(join(tmpdir(), 'unused-collections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a collection whose patterns no layer reads', () => {
  it('is named, with what to do', () => {
    const { findings, manifests } = loadUnused(folder);
    expect(findings).toMatchObject([
      {
        code: 'MANIFEST.UNUSED_COLLECTION',
        severity: 'warning',
        line: 13,
        column: 19,
        message: expect.stringMatching(/`idle`.*`patterns` of `city`/),
        fix: expect.stringContaining('schema_typed: { collection: idle }'),
      },
    ]);
    expect(manifests).toHaveLength(1);
  });

  it('is not, where a manifest that did not load could name it', () => {
    const codes = loadUnused(folder, 'nope: 1').findings.map(({ code }) => code);
    expect(codes).toEqual(['MANIFEST.UNKNOWN_KEY']);
  });
});
