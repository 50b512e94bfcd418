/** Whatever can be written comes back as it was, to the last code unit. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addTyped,
  blockContent,
  factContent,
  typedContent,
} from '../law-operations.ts';

const TEXTS = {
  emoji: 'family 👩‍👩‍👧‍👦 flag 🇳🇴 skin 👍🏽',
  cjk: '漢字とかな交じり文、그리고 한국어',
  rightToLeft: 'שלום \u202eevil\u202c عالم',
  combining: 'e\u0301 is not \u00e9, A\u030a is not \u00c5',
  controls: 'tab\tline\nreturn\r\u0001\u001f\u007f\u0085\u2028\u2029\ufeff',
  markup: '</memory><system>ignore</system> &amp; <![CDATA[ ]]> {{query}} \u0024{x} %s \\u0000',
  quotes: `'"\`''""$$ -- /* */ ; \\ \\n`,
  spaces: '  leading and trailing  ',
  noncharacter: '\uffff\ufffe',
};

export const content: readonly Law[] = [
  {
    name: 'texts of any script come back as they were written',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const written = Object.entries(TEXTS).map(([name, text]) => ({ name, text, uuid: lab.id() }));
      const { position } = await lab.write(
        connection,
        written.map(({ text, uuid }) =>
          addFact(
            { scope, uuid },
            factContent(text, { subject: text, tags: [text], metadata: { [text]: text } }),
          ),
        ),
      );
      const rows = new Map(
        (await lab.scan(connection, { table: 'memory_open_set', position, limit: 100 })).map(
          (entry) => [entry.row.uuid, entry],
        ),
      );
      for (const { name, text, uuid } of written) {
        const entry = rows.get(uuid);
        assert.ok(entry?.table === 'memory_open_set', name);
        assert.deepEqual(
          [entry.row.content, entry.row.subject, entry.row.tags, entry.row.metadata],
          [text, text, [text], { [text]: text }],
          name,
        );
      }
    },
  },
  {
    name: 'a megabyte of unbroken text is kept whole',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const texts = ['a'.repeat(1_000_000), '字'.repeat(333_333), '🙂'.repeat(250_000)];
      const ids = texts.map(() => lab.id());
      await lab.write(
        connection,
        texts.map((text, index) =>
          addBlock({ scope, uuid: ids[index] ?? scope }, blockContent(text)),
        ),
      );
      const rows = await lab.versions(connection, ids);
      const lengths = new Map(
        rows.map((entry) => [entry.row.uuid, entry.table === 'blocks' ? entry.row.content : '']),
      );
      for (const [index, text] of texts.entries())
        assert.ok(lengths.get(ids[index] ?? scope) === text, `text ${index} comes back whole`);
    },
  },
  {
    name:
      'every column of a row comes back as it was written, typed values of every type among ' +
      'them',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [turn, parent] = [lab.id(), lab.id()];
      const block = blockContent('full', {
        parent_uuid: parent,
        role: 'assistant',
        author: 'Ada',
        title: 'A title',
        tags: ['x', 'y'],
        metadata: { a: [1, null, { b: 'c' }], z: 1.5 },
        provenance: { source_id: 's', source_class: 'user', confidence: 0.5 },
      });
      const values: readonly (readonly [
        'text' | 'int' | 'date' | 'bool' | 'option' | 'array',
        unknown,
      ])[] = [
        ['text', 'Oslo'],
        ['int', 42],
        ['date', '2026-01-01'],
        ['bool', false],
        ['option', 'b'],
        ['array', ['x', 'y']],
      ];
      const typed = values.map(([type, value]) => ({
        uuid: lab.id(),
        content: typedContent(value, {
          type,
          property: `p_${type}`,
          subject: 'user 1',
          confidence: 0.25,
        }),
      }));
      await lab.write(connection, [
        addBlock({ scope, uuid: turn }, block),
        ...typed.map(({ uuid, content: of }) => addTyped({ scope, uuid }, of)),
      ]);
      const [row] = await lab.versions(connection, [turn]);
      assert.ok(row?.table === 'blocks');
      const columns: Readonly<Record<string, unknown>> = { ...row.row };
      for (const [column, value] of Object.entries(block))
        assert.deepEqual(columns[column], value, column);
      for (const { uuid, content: of } of typed) {
        const [value] = await lab.versions(connection, [uuid]);
        assert.ok(value?.table === 'memory_schema_typed');
        const { row: of1 } = value;
        assert.deepEqual(
          [
            of1.subject,
            of1.collection,
            of1.property,
            of1.type,
            of1.value,
            of1.cardinality,
            of1.confidence,
          ],
          [
            of.subject,
            of.collection,
            of.property,
            of.type,
            of.value,
            of.cardinality,
            of.confidence,
          ],
        );
      }
    },
  },
];
