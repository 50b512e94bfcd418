/**
 * What a row is found by: its words with its title, heading and subject, and the letters of rare
 * ones.
 */
import assert from 'node:assert/strict';
import type { Hit, Lexicon } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { AddOperation } from '../../model/operation.ts';
import { indexText, lexicalSignal } from '../../text/bm25.ts';
import { isDocument, searchText } from '../../text/search-text.ts';
import { type Lab, VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addFact, blockContent, day, factContent } from '../law-operations.ts';

interface Asked {
  readonly scope: Uuid;
  readonly table: 'blocks' | 'memory_open_set';
  readonly text: string;
}

/**
 * Writes the rows and asks once for each text; gives what was found and what it was weighed with.
 */
async function search(
  lab: Lab,
  operations: readonly AddOperation[],
  asked: readonly Asked[],
): Promise<readonly { readonly hits: readonly Hit[]; readonly lexicon: Lexicon }[]> {
  const connection = await lab.connect();
  const { position } = await lab.write(connection, operations);
  const { parts } = await connection.query({
    tenant: lab.tenant,
    position,
    valid_at: day(50),
    parts: asked.map(({ table, text }, n) => ({
      id: `${n}`,
      table,
      mode: 'search' as const,
      limit: 20,
      text,
    })),
  });
  return parts.map((part) => {
    assert.ok(part.ok && part.lexicon, 'the search is answered with its lexicon');
    return { hits: part.hits, lexicon: part.lexicon };
  });
}

const idsOf = (hits: readonly Hit[]): readonly Uuid[] => hits.map(({ row }) => row.uuid).sort();

/** The signal of each hit is that of the whole text it is searched by. */
function assertSignals({
  hits,
  lexicon,
}: {
  readonly hits: readonly Hit[];
  readonly lexicon: Lexicon;
}): void {
  const signalOf = lexicalSignal(lexicon);
  for (const { row, signals } of hits) {
    const expected = signalOf(indexText(searchText(row), isDocument(row))) ?? 0;
    assert.ok(
      Math.abs((signals.lexical ?? 0) - expected) < 1e-8,
      `${signals.lexical} is not ${expected}`,
    );
  }
}

export const words: readonly Law[] = [
  {
    name: 'a row is found by its title, its heading and its subject as by its content',
    needs: ['write', 'text', 'authority'],
    check: async (lab) => {
      const scope = await lab.scope(await lab.connect());
      const [chunk, bare, fact, empty] = [lab.id(), lab.id(), lab.id(), lab.id()];
      const found = await search(
        lab,
        [
          addBlock(
            { scope, uuid: chunk },
            blockContent('Loosen both lines before dawn.', {
              block_type: 'chunk',
              role: null,
              title: 'Zeppelin handbook',
              metadata: { heading: 'Landing > Moorings' },
            }),
          ),
          addBlock({ scope, uuid: bare }, blockContent('The lines hold.')),
          addBlock(
            { scope, uuid: empty },
            blockContent('', { block_type: 'document', role: null, title: 'Zeppelin handbook' }),
          ),
          addFact({ scope, uuid: fact }, factContent('Prefers tea', { subject: 'Xanthippe' })),
        ],
        [
          { scope, table: 'blocks', text: 'the zeppelin' },
          { scope, table: 'blocks', text: 'moorings' },
          { scope, table: 'blocks', text: 'zeppelin lines' },
          { scope, table: 'memory_open_set', text: 'what does xanthippe like' },
        ],
      );
      assert.deepEqual(
        found.map(({ hits }) => idsOf(hits)),
        [[chunk], [chunk], [chunk, bare].sort(), [fact]],
      );
      for (const each of found) assertSignals(each);
    },
  },
  {
    name: 'documents and turns are weighed each by the length of their kind',
    needs: ['write', 'text', 'authority'],
    check: async (lab) => {
      const scope = await lab.scope(await lab.connect());
      const document = (text: string) =>
        addBlock(
          { scope, uuid: lab.id() },
          blockContent(text, { block_type: 'chunk', role: null }),
        );
      const turn = (text: string) => addBlock({ scope, uuid: lab.id() }, blockContent(text));
      const [found] = await search(
        lab,
        [
          turn('harbour'),
          turn('the harbour was closed'),
          document('harbour lights burn all night long and ships come in slowly one by one'),
          document('harbour dues'),
        ],
        [{ scope, table: 'blocks', text: 'harbour ships' }],
      );
      assert.ok(found && found.hits.length === 4);
      assert.equal(found.lexicon.mean_length, 1.5);
      assert.ok(found.lexicon.mean_document_length > 4);
      assertSignals(found);
    },
  },
  {
    name: 'identifiers are found in parts and whole, and rare words of any script by their letters',
    needs: ['write', 'text'],
    check: async (lab) => {
      const scope = await lab.scope(await lab.connect());
      const texts = {
        camel: 'calls parseWireFrame twice',
        snake: 'calls render_wire_frame once',
        finnish: 'Asuimme rautatieaseman vieressä',
        russian: 'Он живёт в Петербурге',
        chinese: '下周三开会',
        japanese: 'コーヒーを飲んだ',
      } as const;
      const names = Object.keys(texts) as (keyof typeof texts)[];
      const ids = new Map(names.map((name) => [name, lab.id()]));
      const questions: readonly (readonly [string, readonly (keyof typeof texts)[]])[] = [
        ['wire', ['camel', 'snake']],
        ['parsewireframe', ['camel', 'snake']],
        ['parseWierFrame', ['camel', 'snake']],
        ['rautatieasemalla', ['finnish']],
        ['из Петербурга', ['russian']],
        ['会', ['chinese']],
        ['コーヒー', ['japanese']],
        ['Kaffee', []],
      ];
      const found = await search(
        lab,
        names.map((name) =>
          addFact({ scope, uuid: ids.get(name) ?? lab.id() }, factContent(texts[name])),
        ),
        questions.map(([text]) => ({ scope, table: 'memory_open_set', text })),
      );
      for (const [index, [text, expected]] of questions.entries())
        assert.deepEqual(
          idsOf(found[index]?.hits ?? []),
          expected.map((name) => ids.get(name)).sort(),
          text,
        );
    },
  },
  {
    name: 'what waits for its vector is embedded by the text it is searched by',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const rows = [
        addBlock(
          { scope, uuid: lab.id() },
          blockContent('Loosen both lines.', {
            block_type: 'chunk',
            role: null,
            title: 'Zeppelin',
            metadata: { heading: 'Moorings' },
          }),
        ),
        addFact(
          { scope, uuid: lab.id() },
          factContent('Moved to Argos', {
            subject: 'Xanthippe',
            metadata: { heading: 'Travels', captured_by: 'capture', capture_slot: 'home' },
          }),
        ),
      ];
      await connection.ensureSpace({ provider: 'conformance', model: 'suite', dimensions: 4 });
      await lab.write(connection, rows);
      const pending = await connection.pendingEmbeddings(lab.tenant, VECTOR_SPACE_NAME, 10);
      assert.deepEqual(
        pending.map(({ text }) => text),
        rows.map(({ content }) => searchText(content)),
      );
    },
  },
];
