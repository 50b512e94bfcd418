/** What was captured goes with its turn when that is forgotten, also from a plan that was left open. */
import { expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { capture, makeWorld, SESSION, say, TENANT } from '../support/capture-world.ts';
import { describeOnDatabases } from '../support/databases.ts';

describeOnDatabases('the words of an erased turn', (open) => {
  it('are not in a plan that nobody carried out', async () => {
    const opened = await open();
    const authority = pgvectorAuthority(opened.database);
    await makeWorld(authority);
    await say(authority, [
      { role: 'user', text: 'I live in Xanadu.' },
      { role: 'user', text: 'I live in Yonkers.' },
      { role: 'user', text: 'My colleague Zorro banks with Xanadu Trust.' },
      { role: 'user', text: 'No, I meant Umbra Trust.' },
    ]);
    // Dies after its plan was kept.
    const lost = { ...authority, write: async () => Promise.reject(new Error('gone')) };
    await expect(capture(lost)).rejects.toThrow('gone');
    const of = { consumer: 'rules/9', scope_uuid: SESSION };
    const before = JSON.stringify(await authority.openCapture(TENANT, of));
    for (const word of ['Xanadu', 'Zorro banks with Umbra']) expect(before).toContain(word);
    await opened.owner.query(
      `select set_config('contextengine.tenant', 'local', false), set_config('contextengine.scopes', '*', false)`,
    );
    const { rows } = await authority.read({
      kind: 'scan',
      tenant: TENANT,
      table: 'blocks',
      position: [{ scope: SESSION, head: 100 }],
      limit: 10,
    });
    const turns = rows.filter(({ row }) => 'content' in row && row.content.includes('Xanadu'));
    for (const { row } of turns)
      await opened.owner.exec(`
        set role contextengine_eraser;
        update context.blocks set status = 'suppressed' where uuid = '${row.uuid}';
        update context.blocks set status = 'erased', content = '' where uuid = '${row.uuid}';
        reset role;`);
    const left = JSON.stringify(await authority.openCapture(TENANT, of));
    expect(left).not.toContain('Xanadu');
    // A correction in few words holds those that it corrects.
    expect(left).not.toContain('Zorro');
    expect(left).toContain('Yonkers');
    const { receipts } = await capture(authority);
    expect(receipts[0]?.counts).toMatchObject({ stored: 1, failed: 0 });
  });
});
