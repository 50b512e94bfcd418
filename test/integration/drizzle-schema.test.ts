/**
 * `contextengine/drizzle` says what the migrated schema is: both ways, on PGlite and PostgreSQL.
 */
import { is } from 'drizzle-orm';
import { getViewConfig, PgColumn, PgView } from 'drizzle-orm/pg-core';
import { beforeAll, expect, it } from 'vitest';
import * as surface from '../../connectors/pgvector/drizzle/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';

/** What the engine keeps in the ledger's schema for itself. */
const NOT_TYPED = ['context.compose_cache'];

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
  /** What a text may be; null = anything. */
  readonly values: readonly string[] | null;
}
type Columns = Readonly<Record<string, Column>>;

const VIEWS = Object.values(surface).flatMap((value) => (is(value, PgView) ? [value] : []));

const typedColumns = (): Readonly<Record<string, Columns>> =>
  Object.fromEntries(
    VIEWS.map((view) => {
      const { schema, name, selectedFields } = getViewConfig(view);
      const columns = Object.values(selectedFields).flatMap((field) =>
        is(field, PgColumn) ? [field] : [],
      );
      return [
        `${schema}.${name}`,
        Object.fromEntries(
          columns.map((column): [string, Column] => [
            column.name,
            {
              type: column.getSQLType(),
              isNullable: !column.notNull,
              values: column.enumValues ? [...column.enumValues].sort() : null,
            },
          ]),
        ),
      ];
    }),
  );

const MIGRATED = `
  select n.nspname || '.' || c.relname as name, a.attname as column,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as is_nullable,
    (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
      and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[') as only
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('context', 'context_ops') and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by 1, 2`;

async function migratedColumns({ owner }: TestDatabase): Promise<Record<string, Columns>> {
  const tables: Record<string, Record<string, Column>> = {};
  for (const row of await owner.query(MIGRATED)) {
    const name = String(row['name']);
    if (name.startsWith('context_ops.emb_')) continue; // an embedding space
    const values = [...String(row['only'] ?? '').matchAll(/'([^']*)'::text/g)];
    tables[name] = {
      ...tables[name],
      [String(row['column'])]: {
        type: String(row['type']),
        isNullable: row['is_nullable'] === true,
        values: values.length === 0 ? null : values.map(([, value]) => value ?? '').sort(),
      },
    };
  }
  return tables;
}

describeOnDatabases('contextengine/drizzle', (open) => {
  let migrated: Record<string, Columns>;
  beforeAll(async () => {
    migrated = await migratedColumns(await open());
  });

  it('has each column of its tables, with its type, its nullability and its values, and no other', () => {
    const typed = typedColumns();
    expect(Object.keys(typed)).toHaveLength(8);
    for (const [name, columns] of Object.entries(typed))
      expect({ [name]: columns }).toEqual({ [name]: migrated[name] });
  });

  it('has every table of the ledger', () => {
    const ledger = (names: readonly string[]) =>
      names.filter((name) => name.startsWith('context.')).sort();
    expect(ledger(Object.keys(migrated))).toEqual(
      ledger([...Object.keys(typedColumns()), ...NOT_TYPED]),
    );
  });
});
