/** The settings that code leaves open: the library takes what the command line takes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createContextEngine } from '../../src/index.ts';
import { refusalOf } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const MANIFEST = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec:
  layers: { recent: {} }
`;

let cwd = '';
let back = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(cwd, 'declared'));
  writeFileSync(join(cwd, 'declared', 'notes.yaml'), MANIFEST);
  back = process.cwd();
  process.chdir(cwd);
});
afterEach(() => {
  process.chdir(back);
  rmSync(cwd, { recursive: true });
});
const config = (value: unknown): void =>
  writeFileSync(join(cwd, 'contextengine.config.json'), JSON.stringify(value));

describe('an engine without options', () => {
  it('is the one that the command line uses in the same folder', async () => {
    config({ data_dir: 'ledger', manifests: ['declared'], embedder: 'off' });
    const engine = await createContextEngine();
    expect(engine.manifests.manifests.map(({ name }) => name)).toEqual(['notes']);
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'note' });
    await engine.close();
    const terminal = memoryTerminal({ cwd });
    expect(await run(['scope', 'list', '--json'], terminal)).toBe(0);
    expect(JSON.parse(terminal.output())).toMatchObject([{ scope_block_uuid: scope }]);
  }, 120_000);

  it('leaves DATABASE_URL alone, and doctor says so', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/theirs' };
    const terminal = memoryTerminal({ cwd, env });
    expect(await run(['doctor', '--json'], terminal)).toBe(0);
    expect(JSON.parse(terminal.output()).checks).toContainEqual(
      expect.objectContaining({ name: 'DATABASE_URL', state: 'warn' }),
    );
  }, 120_000);

  it('does not start with a file that is wrong, and says where', async () => {
    config({ databaseurl: 'x' });
    const refused = await refusalOf(createContextEngine({ database: { inMemory: true } }));
    expect(refused).toMatchObject({
      code: 'CONFIG.UNKNOWN_KEY',
      where: { file: 'contextengine.config.json', field: 'databaseurl' },
    });
  });

  it('reads no file where code says all of it', async () => {
    config({ databaseurl: 'x' });
    const engine = await createContextEngine({
      database: { inMemory: true },
      manifests: 'declared',
      embedder: 'off',
    });
    await engine.close();
  }, 120_000);
});
