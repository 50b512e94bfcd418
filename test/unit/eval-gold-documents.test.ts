/** A gold file points at documents: they are cut as `ingest` cuts them, and evidence names them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldDocuments } from '../../eval/gold/gold-file.ts';
import { goldSuite } from '../../eval/own-suites.ts';
import { readGoldDocuments } from '../../src/cli/eval/read-documents.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gold-documents-'));
  mkdirSync(join(folder, 'docs/more'), { recursive: true });
  const refunds = ['# Refunds', 'Money goes back within 30 days.', '# Vans', 'They are green.'];
  writeFileSync(join(folder, 'docs/refunds.md'), refunds.join('\n\n'));
  writeFileSync(join(folder, 'docs/more/hours.md'), '# Hours\n\nOpen from nine to five.\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function suiteOf(evidence: string, documents = '[docs]') {
  const path = join(folder, 'gold.yaml');
  writeFileSync(
    path,
    `gold: v1
now: 2026-03-01
stores:
  library:
    scope_type: library
    documents: ${documents}
    facts: [{ key: f-1, text: "Ada owns refunds." }]
questions:
  - { id: q-1, q: "How long?", category: docs, layer: semantic, store: library, evidence: ${evidence} }
`,
  );
  const cut = await readGoldDocuments(goldDocuments(path));
  return goldSuite(path, 'manifest.yaml', cut).suite;
}

describe('a gold file', () => {
  it('names a document, or words in it: any chunk of them is enough', async () => {
    const { stores, questions } = await suiteOf('["docs/refunds.md#within 30 days"]');
    const turns = stores[0]?.turns ?? [];
    expect(turns.map(({ metadata }) => metadata?.['path'])).toContain('docs/more/hours.md');
    const [question] = questions;
    expect(question?.isAnyEnough).toBe(true);
    const named = turns.filter(({ key }) => question?.evidence.includes(key));
    expect(named.length).toBeGreaterThan(0);
    expect(named.every(({ content }) => content.includes('within 30 days'))).toBe(true);
    const whole = await suiteOf('[docs/more/hours.md]');
    expect(whole.questions[0]?.evidence).toEqual(['docs/more/hours.md#1']);
  });

  it('is refused where the words are not there, and beside keys', async () => {
    await expect(suiteOf('["docs/refunds.md#in a year"]')).rejects.toMatchObject({
      code: 'EVAL.DATA',
      message: expect.stringContaining('in a year'),
    });
    await expect(suiteOf('[docs/refunds.md, f-1]')).rejects.toMatchObject({ code: 'EVAL.DATA' });
    await expect(suiteOf('[docs/none.md]')).rejects.toMatchObject({ code: 'EVAL.DATA' });
    await expect(suiteOf('[f-1]', '[nowhere.md]')).rejects.toThrow(/nowhere\.md/);
  });

  it('reads the files that `ingest` reads: no links, nothing hidden, no pipe', async () => {
    const docs = join(folder, 'linked');
    mkdirSync(join(docs, '.hidden'), { recursive: true });
    writeFileSync(join(docs, 'a.md'), '# A\n\nPlain.\n');
    writeFileSync(join(docs, '.hidden/b.md'), '# B\n\nHidden.\n');
    symlinkSync('.', join(docs, 'self'));
    symlinkSync('..', join(docs, 'loop'));
    const { stores } = await suiteOf('[linked/a.md]', '[linked]');
    const paths = (stores[0]?.turns ?? []).map(({ metadata }) => metadata?.['path']);
    expect(paths).toEqual(['linked/a.md']);
    symlinkSync('/dev/zero', join(folder, 'endless.md'));
    await expect(suiteOf('[endless.md]', '[endless.md]')).rejects.toMatchObject({
      code: 'CLI.INPUT',
    });
  });
});
