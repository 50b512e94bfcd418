/**
 * What stands beside the rows that a search finds: the turns before and after them, under the same
 * filter as the rows themselves.
 */
import assert from 'node:assert/strict';
import type { Connection, Hit, SearchPart } from '../../cxri/contract.ts';
import type { BlockContent } from '../../model/block.ts';
import type { Uuid } from '../../model/ids.ts';
import type { AddOperation } from '../../model/operation.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, blockContent, day, type Extra } from '../law-operations.ts';

const part = {
  id: 'n',
  table: 'blocks',
  mode: 'search',
  text: 'quokka',
  limit: 10,
  neighbours: 2,
} as const;

interface Turn {
  readonly text: string;
  readonly on: number;
  readonly changes?: Partial<BlockContent>;
  readonly extra?: Extra;
}

const turn = (text: string, on: number, changes: Partial<BlockContent> = {}): Turn => ({
  text,
  on,
  changes,
});

const toOperations = (
  lab: Lab,
  scope: Uuid,
  turns: readonly Turn[],
): readonly AddOperation<'blocks'>[] =>
  turns.map(({ text, on, changes, extra }) =>
    addBlock(
      { scope, uuid: lab.id() },
      blockContent(text, { occurred_at: day(on), ...changes }),
      extra,
    ),
  );

/** What was found, by its text, in the order of time: the texts before and after each. */
async function seen(
  lab: Lab,
  connection: Connection,
  asked: { readonly part: SearchPart; readonly scope: Uuid; readonly head: number },
) {
  const hits = await lab.hits(connection, asked.part, {
    position: [{ scope: asked.scope, head: asked.head }],
  });
  const shown = await lab.hits(
    connection,
    {
      id: 'all',
      table: 'blocks',
      mode: 'list',
      limit: 100,
      order: { by: 'occurred_at', direction: 'asc' },
    },
    { position: [{ scope: asked.scope, head: asked.head }] },
  );
  const texts = new Map(shown.map((hit) => [hit.row.uuid, textOf(hit)]));
  const named = (uuid: Uuid | null | undefined): string | null =>
    uuid ? (texts.get(uuid) ?? 'a row that is not shown') : null;
  return hits
    .map((hit) => [textOf(hit), named(hit.beside?.previous), named(hit.beside?.next)] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

const textOf = (hit: Hit): string => (hit.table === 'blocks' ? hit.row.content : '');

const SEVEN = [
  turn('1', 1),
  turn('2', 2),
  turn('3', 3),
  turn('4 quokka', 4),
  turn('5', 5),
  turn('6', 6),
  turn('7', 7),
];

export const neighbours: readonly Law[] = [
  {
    name: 'a search brings the rows around each row found, and says of each what stands beside it',
    needs: ['write', 'text'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      // Written in another order than that of time.
      const { position } = await lab.write(
        connection,
        toOperations(lab, scope, [...SEVEN].reverse()),
      );
      const at = { scope, head: position[0]?.head ?? 0 };
      assert.deepEqual(await seen(lab, connection, { part, ...at }), [
        ['2', '1', '3'],
        ['3', '2', '4 quokka'],
        ['4 quokka', '3', '5'],
        ['5', '4 quokka', '6'],
        ['6', '5', '7'],
      ]);
      assert.deepEqual(await seen(lab, connection, { part: { ...part, neighbours: 4 }, ...at }), [
        ['1', null, '2'],
        ['2', '1', '3'],
        ['3', '2', '4 quokka'],
        ['4 quokka', '3', '5'],
        ['5', '4 quokka', '6'],
        ['6', '5', '7'],
        ['7', '6', null],
      ]);
      const { neighbours: _none, ...alone } = part;
      const hits = await lab.hits(connection, alone, { position });
      assert.deepEqual(hits.map(textOf), ['4 quokka']);
      assert.equal(hits[0]?.beside, undefined, 'neighbours that were not asked for are left out');
    },
  },
  {
    name:
      'a conversation is of one scope, one type and one parent; at one time the row that was ' +
      'written first stands first',
    needs: ['write', 'text'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [parent, other] = [lab.id(), lab.id()];
      const { position } = await lab.write(
        connection,
        toOperations(lab, scope, [
          turn('a before', 1, { parent_uuid: parent }),
          turn('of another parent', 1, { parent_uuid: other }),
          turn('of no parent', 1),
          turn('of another type', 1, { parent_uuid: parent, block_type: 'note' }),
          turn('b quokka', 1, { parent_uuid: parent }),
          turn('c after', 1, { parent_uuid: parent }),
        ]),
      );
      assert.deepEqual(await seen(lab, connection, { part, scope, head: position[0]?.head ?? 0 }), [
        ['a before', null, 'b quokka'],
        ['b quokka', 'a before', 'c after'],
        ['c after', 'b quokka', null],
      ]);
    },
  },
  {
    name:
      'neighbours are held to the position, the valid time and the filter of the part, and ' +
      'stand beside what is left',
    needs: ['write', 'text', 'structured'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const kept = { tags: ['kept'] };
      const { position } = await lab.write(
        connection,
        toOperations(lab, scope, [
          turn('1', 1, kept),
          turn('2 of other tags', 2),
          { ...turn('3 that has ended', 3, kept), extra: { until: 10 } },
          turn('4 quokka', 4, kept),
          turn('6', 6, kept),
        ]),
      );
      const head = position[0]?.head ?? 0;
      await lab.write(
        connection,
        toOperations(lab, scope, [turn('5 that was written later', 5, kept)]),
      );
      assert.deepEqual(
        await seen(lab, connection, {
          part: { ...part, filter: { field: 'tags', contains: ['kept'] } },
          scope,
          head,
        }),
        [
          ['1', null, '4 quokka'],
          ['4 quokka', '1', '6'],
          ['6', '4 quokka', null],
        ],
      );
    },
  },
];
