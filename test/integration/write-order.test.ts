import { beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { blockContent, day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('order');
const SCOPE = id(1, 1);
const WRITES = 40;

describeOnDatabases('two concurrent writers of one scope', (open) => {
  let writers: readonly Authority[];
  let reader: Authority;
  beforeAll(async () => {
    const opened = await open();
    reader = pgvectorAuthority(opened.database);
    // On a server each writer has connections of its own; the embedded database has one.
    const other = opened.url === null ? opened.database : await openPostgres({ url: opened.url });
    writers = [pgvectorAuthority(other), pgvectorAuthority(opened.database)];
    await reader.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(1),
      operations: [makeScope(SCOPE)],
    });
    return async () => {
      if (other !== opened.database) await other[Symbol.asyncDispose]();
    };
  });

  it('draw sequence numbers in the order of their commits: a head that is seen has everything below it', async () => {
    let isWriting = true;
    const writing = Promise.all(
      writers.map(async (writer, w) => {
        for (let n = 0; n < WRITES; n += 1) {
          const operations = [0, 1].map(
            (k) =>
              ({
                operation: 'ADD',
                table: 'blocks',
                scope: SCOPE,
                uuid: id(10 + w, n * 2 + k),
                valid_from: day(0),
                content: blockContent(`${w} ${n}`, day(0)),
              }) as const,
          );
          // One clock runs ahead of the other: times never order anything.
          await writer.write({
            tenant: TENANT,
            writer: WRITER,
            recorded_at: day(w === 0 ? 300 - n : n),
            operations,
          });
        }
      }),
    ).finally(() => {
      isWriting = false;
    });
    let looks = 0;
    const heads = new Set<number>();
    while (isWriting) {
      const { position } = await reader.heads(TENANT, [SCOPE]);
      const head = position[0]?.head ?? 0;
      const { rows } = await reader.read({
        tenant: TENANT,
        kind: 'scan',
        table: 'blocks',
        position,
        limit: 1000,
      });
      expect(rows.map(({ row }) => row.recorded_seq)).toEqual(
        Array.from({ length: head }, (_, index) => index + 1),
      );
      heads.add(head);
      looks += 1;
    }
    await writing;
    expect(looks).toBeGreaterThan(2);
    expect(heads.size).toBeGreaterThan(1);
    const last = (await reader.heads(TENANT, [SCOPE])).position[0]?.head;
    expect(last).toBe(1 + 2 * 2 * WRITES);
  });
});
