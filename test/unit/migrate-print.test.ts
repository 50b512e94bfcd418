/** `migrate --print`: the text that a DBA runs with psql holds each migration once, in order. */
import { expect, it } from 'vitest';
import { migrationSql } from '../../connectors/index.ts';
import { readMigrations } from '../../connectors/pgvector/driver/migrate.ts';

it('is one transaction for each file, with its entry', async () => {
  const files = await readMigrations();
  const [, ...parts] = (await migrationSql()).split(/^begin;$/m);
  expect(parts).toHaveLength(files.length);
  files.forEach(({ name, number, sha256, text }, index) => {
    const part = parts[index] ?? '';
    expect(part.startsWith(`\n${text.trimEnd()}\n;\nreset role;\n`), name).toBe(true);
    expect(part).toContain(`values (${number}, '${name}', '${sha256}', session_user);\ncommit;`);
    expect(part.includes('create table if not exists context_ops.schema_migrations')).toBe(
      number === 1,
    );
  });
});

it('begins after the number that is given, and refuses one that no migration has', async () => {
  const files = await readMigrations();
  const rest = await migrationSql(18);
  expect(rest.split(/^begin;$/m)).toHaveLength(files.length - 18 + 1);
  expect(rest).toContain('-- 0019_');
  for (const after of [-1, 1.5, 9999, Number.NaN])
    await expect(migrationSql(after)).rejects.toMatchObject({ code: 'CONFIG.INVALID_VALUE' });
});
