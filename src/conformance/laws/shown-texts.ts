/**
 * Laws of what is looked for: a composition shows no characters that cannot be seen, and other
 * normal forms look alike, so a text or a name is found as a reader sees it.
 */
import assert from 'node:assert/strict';
import type { ForgetRequest } from '../../model/erasure.ts';
import type { Law } from '../law.ts';
import { addBlock, addFact, blockContent, factContent } from '../law-operations.ts';
import { eraseNow, forgetBlock } from './erasure.ts';

/** A zero-width space, a tag character, a tab, and the `ü` of two code points. */
const STORED = 'the pass\u200bword\u{e0041} is\tZu\u0308rich';
const SHOWN = 'password is zürich';

export const shownTexts: readonly Law[] = [
  {
    name: 'a text is forgotten, and looked for, by the words that a reader sees',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [turn, other] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addBlock({ scope, uuid: turn }, blockContent(STORED)),
        addBlock({ scope, uuid: other }, blockContent('the pass word is not zürich')),
      ]);
      const found = async () => (await connection.scanCopies(lab.tenant, [SHOWN])).found.length;
      assert.ok((await found()) > 0);
      const request: ForgetRequest = { ...forgetBlock(lab, turn), kind: 'text', value: SHOWN };
      assert.equal((await connection.forget(request)).blocks, 1);
      assert.deepEqual(
        (await lab.versions(connection, [turn, other])).map(({ row }) => row.uuid),
        [other],
      );
      await connection.erase(eraseNow(request));
      assert.equal(await found(), 0);
    },
  },
  {
    name: 'a name is forgotten as a reader sees it, and its capitals count',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [turn, fact, other] = [lab.id(), lab.id(), lab.id()];
      const [stored, shown] = ['Zoe\u0308\u2060 Miller', 'Zoë Miller'];
      await lab.write(connection, [
        addBlock({ scope, uuid: turn }, blockContent('good morning', { author: stored })),
        addBlock({ scope, uuid: other }, blockContent('good evening', { author: 'zoë miller' })),
        addFact({ scope, uuid: fact }, factContent('has a cat', { subject: stored })),
      ]);
      const request = { ...forgetBlock(lab, turn), kind: 'person', value: shown } as const;
      await connection.forget(request);
      assert.deepEqual(
        (await lab.versions(connection, [turn, other, fact])).map(({ row }) => row.uuid),
        [other],
      );
    },
  },
  {
    name: 'a text that no reader can see names nothing',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const turn = lab.id();
      await lab.write(connection, [addBlock({ scope, uuid: turn }, blockContent(STORED))]);
      const value = '\u200b\u{e0041}\u200b\u2060';
      await assert.rejects(connection.forget({ ...forgetBlock(lab, turn), kind: 'text', value }));
      assert.equal((await connection.scanCopies(lab.tenant, [value])).found.length, 0);
      assert.equal((await lab.versions(connection, [turn])).length, 1);
    },
  },
];
