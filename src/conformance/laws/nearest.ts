/** Lists over several scopes: rows are chosen before the limit cuts. */
import assert from 'node:assert/strict';
import type { ListPart, NearestChoice } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addTyped, day, typedContent } from '../law-operations.ts';

interface Stored {
  readonly uuid: Uuid;
  readonly place: number;
  readonly property: string;
  readonly subject: string;
}

const PROPERTIES = 'abcdefgh'.split('');

/** Three scopes that share properties, written out of order. */
async function fill(lab: Lab) {
  const connection = await lab.connect();
  const scopes = [
    await lab.scope(connection),
    await lab.scope(connection),
    await lab.scope(connection),
  ];
  const rows: Stored[] = [];
  for (const place of scopes.keys())
    for (const [n, property] of PROPERTIES.entries())
      for (const subject of (n + place) % 3 === 0 ? ['x', 'y'] : (n + place) % 3 === 1 ? ['x'] : [])
        rows.push({ uuid: lab.id(), place, property, subject });
  for (const [place, scope] of scopes.entries())
    await lab.write(
      connection,
      rows
        .filter((row) => row.place === place)
        .map(({ uuid, property, subject }) =>
          addTyped({ scope, uuid }, typedContent(uuid, { property, subject })),
        ),
    );
  const position = scopes.map((scope) => ({ scope, head: 1000 }));
  return { connection, rows, position };
}

/** By definition: each row is held against every other. */
function expected(rows: readonly Stored[], { once, shadow }: NearestChoice): readonly Uuid[] {
  const agree = (a: Stored, b: Stored, columns: readonly string[] | undefined): boolean =>
    (columns ?? []).length > 0 &&
    (columns ?? []).every((column) => a[column as 'subject'] === b[column as 'subject']);
  const isBefore = (a: Stored, b: Stored): boolean =>
    a.property === b.property ? a.uuid > b.uuid : a.property > b.property;
  const kept = rows.filter(
    (row) =>
      !rows.some(
        (other) => other.place === row.place && agree(row, other, once) && isBefore(other, row),
      ),
  );
  const isShadowed = (row: Stored): boolean =>
    kept.some((other) => other.place < row.place && agree(row, other, shadow));
  return [...kept]
    .sort(
      (a, b) =>
        Number(isShadowed(a)) - Number(isShadowed(b)) ||
        a.place - b.place ||
        (isBefore(a, b) ? -1 : 1),
    )
    .map(({ uuid }) => uuid);
}

const CHOICES: readonly NearestChoice[] = [
  {},
  { once: ['property'] },
  { once: ['subject'] },
  { shadow: ['property'] },
  { shadow: ['subject', 'property'] },
  { once: ['subject'], shadow: ['property'] },
];

export const nearest: readonly Law[] = [
  {
    name: 'a list by nearest scope chooses its rows before the limit cuts, at every limit',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const { connection, rows, position } = await fill(lab);
      for (const choice of CHOICES) {
        const all = expected(rows, choice);
        for (const limit of [1, 2, 5, all.length - 1, all.length, 100]) {
          const part: ListPart = {
            id: 'n',
            table: 'memory_schema_typed',
            mode: 'list',
            limit,
            order: { by: 'property', direction: 'desc' },
            nearest: choice,
          };
          const hits = await lab.hits(connection, part, { position });
          assert.deepEqual(
            hits.map(({ row }) => row.uuid),
            all.slice(0, limit),
            `${JSON.stringify(choice)}, limit ${limit}`,
          );
        }
      }
    },
  },
  {
    name: 'a list by nearest scope goes by plain columns alone',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const { connection, position } = await fill(lab);
      const choices: readonly unknown[] = [
        { once: [] },
        { shadow: ['value'] },
        { once: ['no_column'] },
        { shadow: 'property' },
        { once: ['property', 'subject', 'collection', 'type', 'uuid'] },
        { shadow: ['property) or true --'] },
      ];
      for (const choice of choices) {
        const part = {
          id: 'n',
          table: 'memory_schema_typed',
          mode: 'list',
          limit: 1,
          order: { by: 'property', direction: 'desc' },
          nearest: choice as NearestChoice,
        } as const;
        const { parts } = await connection.query({
          tenant: lab.tenant,
          position,
          valid_at: day(50),
          parts: [part],
        });
        assert.equal(
          parts[0]?.ok === false && parts[0].error.code,
          'CONNECTOR.INVALID_REQUEST',
          JSON.stringify(choice),
        );
      }
    },
  },
];
