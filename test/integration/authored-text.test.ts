/** What an author wrote for a layer stands in its tag without an empty line behind it. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { manifestArtifact } from '../../src/compose/10-remember.ts';
import { keyedDigest } from '../../src/cxri/keyed-digest.ts';
import { createContextEngine } from '../../src/index.ts';
import { replayReceipt } from '../../src/look-back/replay.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import { parseTenant } from '../../src/model/ids.ts';
import type { Grant } from '../../src/model/permission.ts';

const HUMAN = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
const TENANT = parseTenant('local');
const folder = mkdtempSync(join(tmpdir(), 'authored-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCE = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec:
  model: gpt-4o
  layers:
    system:
      text: |
        Help.

        Be short.
    core: { file: ./core.md }
`;
const CORE = 'The shop opens at nine.\r\n\r\n';
const TEXT = '<system>\nHelp.\n\nBe short.\n</system>\n<core>\nThe shop opens at nine.\n</core>\n';
writeFileSync(join(folder, 'notes.yaml'), SOURCE);
writeFileSync(join(folder, 'core.md'), CORE);

it('is rendered and counted without the line breaks at its end, and replays', async () => {
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: folder,
    permission_profile: HUMAN,
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'note' });
  const composed = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: '',
    permission_profile: HUMAN,
  });
  expect(composed.text).toBe(TEXT);
  expect(composed.tokens.used).toBe((await createCounter('o200k_base')).count(TEXT));
  expect(await engine.replay(composed.composition_id)).toMatchObject({ identical: true });

  const [manifest] = engine.manifests.manifests;
  const authority = referenceAuthority();
  if (manifest) await authority.saveArtifact(TENANT, manifestArtifact(manifest));
  const key = await authority.digestKey(TENANT);
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const replayedBy = (render_version: number, text: string, receipt: CompositionReceipt) =>
    replayReceipt(
      { ...receipt, render_version, text_sha256: keyedDigest(key, digestOf(text)) },
      {
        authority,
        // No more of it is read where a receipt has no rows.
        grant: { tenant: TENANT } as Grant,
        readable: new Set(receipt.position.map((entry) => entry.scope)),
        digestOf,
      },
    );
  const { receipt } = await engine.explain(composed.composition_id);
  const before =
    '<system>\nHelp.\n\nBe short.\n\n</system>\n<core>\nThe shop opens at nine.\n\n\n</core>\n';
  expect(await replayedBy(3, before, receipt)).toEqual({ text: before, identical: true, gone: [] });
  for (const version of [4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    expect(await replayedBy(version, TEXT, receipt)).toEqual({
      text: TEXT,
      identical: true,
      gone: [],
    });
  await expect(replayedBy(2, before, receipt)).rejects.toMatchObject({
    code: 'RECEIPT.OTHER_RENDERER',
  });
});
