/**
 * A captured fact keeps its slot: what was forgotten and brought back, changed by hand, exported
 * and imported, gives way to the next value as it would have where it was.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine, PACKAGE_MANIFESTS } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('a captured slot', (open, flavor) => {
  let engine: ContextEngine;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
  });

  const say = async (content: string, by = engine) => {
    time.ms += DAY_MS;
    const occurred_at = new Date(time.ms);
    const said = { role: 'user', author: 'Ann', content, occurred_at } as const;
    const { receipts } = await by.append(session, said);
    const captured = await by.capture(session);
    return {
      turn: receipts[0]?.uuid ?? '',
      outcomes: captured.receipts.flatMap(({ candidates }) =>
        candidates.map(({ outcome }) => outcome),
      ),
    };
  };
  /** What is believed, and of which time. */
  const memory = async (by = engine) => {
    const { facts } = await by.facts.list({ scope: session, state: 'all' });
    return facts
      .flatMap(({ table, row }) =>
        table === 'memory_open_set' && row.retired_seq === null
          ? [`${row.content} ${row.valid_from} ${row.valid_until}`]
          : [],
      )
      .sort();
  };
  const current = async (by = engine) => {
    const { facts } = await by.facts.list({ scope: session });
    return facts.map(({ row }) =>
      'content' in row ? row.content : `${row.property}=${row.value}`,
    );
  };

  it.each([
    ['I can drive.', "I can't drive.", "Ann can't drive."],
    ['I support Windows.', "I don't support Windows.", "Ann doesn't support Windows."],
  ])('holds the later of `%s` and `%s`', async (first, second, holds) => {
    await say(first);
    expect((await say(second)).outcomes).toEqual(['superseded']);
    expect(await current()).toEqual([holds]);
  });

  it.each([
    ['I work on Atlas. I work on Orion.', ['Ann works on Atlas.', 'Ann works on Orion.']],
    ['I work on Atlas. I now work on Orion.', ['Ann now works on Orion.']],
    ['I work on Atlas. No, I work on Orion.', ['Ann works on Orion.']],
  ])('of `%s` holds what it says holds', async (said, holds) => {
    await say(said);
    expect([...(await current())].sort()).toEqual(holds);
  });

  it('ends one of those that a message listed, and leaves the other', async () => {
    await say('I work on Atlas. I work on Orion.');
    await say('I no longer work on Atlas.');
    expect(await current()).toEqual(['Ann works on Orion.']);
  });

  it('holds what is preferred, whichever way round it was', async () => {
    await say('I prefer tea to coffee.');
    expect((await say('I prefer coffee to tea.')).outcomes).not.toContain('duplicate');
    expect(await current()).toContain('Ann prefers coffee to tea.');
  });

  it.each([
    [
      'I prefer short explanations.',
      'I prefer detailed explanations now.',
      'answer_style=detailed',
    ],
    ['I like concise replies.', 'I would prefer long answers.', 'answer_style=detailed'],
    ['I moved to Graz in October.', 'I live in Graz.', 'Ann moved to Graz in October.'],
    [
      'I started at Contoso in May.',
      'I joined Fabrikam in late June.',
      'Ann joined Fabrikam in late June.',
    ],
  ])('after `%s` and `%s` holds one of them', async (first, second, holds) => {
    await say(first);
    await say(second);
    expect(await current()).toEqual([holds]);
  });

  it('holds how long answers are to be beside what is of a part, or of another kind', async () => {
    await say('I prefer short explanations.');
    await say('I prefer detailed explanations in reviews.');
    await say('I prefer German explanations now.');
    expect(await current()).toHaveLength(3);
  });

  it('is taken again by what is brought back', async () => {
    await say('I live in Rome.');
    const oslo = await say('I live in Oslo now.');
    const before = await memory();
    const { redaction_uuid: redaction } = await engine.forget({ root: oslo.turn });
    expect(await current()).toEqual(['Ann lives in Rome.']);
    await engine.erasure.bringBack(redaction ?? '');
    expect(await memory()).toEqual(before);
    const ghent = await say('I moved to Ghent.');
    expect(ghent.outcomes).toEqual(['superseded']);
    expect(await current()).toEqual(['Ann moved to Ghent.']);
  });

  it('takes back nothing in the place of what was said since', async () => {
    const rome = await say('I live in Rome.');
    const { redaction_uuid: redaction = '' } = await engine.forget({ root: rome.turn });
    await say('I live in Oslo now.');
    const before = await memory();
    const refused = await refusalOf(engine.undo(redaction));
    expect(refused.code).toBe('WRITE.BUILT_ON');
    expect(await memory()).toEqual(before);
    const named = refused.meta?.['operations'] as { readonly operation_id: string }[] | undefined;
    await engine.undo(named?.[0]?.operation_id ?? '');
    await engine.undo(redaction);
    expect(await current()).toEqual(['Ann lives in Rome.']);
  });

  it('takes back what stood beside others, and beside what was said since', async () => {
    await say('I work at Acme.');
    const beside = await say('I also work at Borealis.');
    const { redaction_uuid: redaction = '' } = await engine.forget({ root: beside.turn });
    expect((await say('I also work at Cirrus.')).outcomes).toEqual(['stored']);
    await engine.undo(redaction);
    expect(await current()).toHaveLength(3);
  });

  it.each(['update', 'correct'] as const)(
    'holds what somebody made of its value: %s',
    async (changed) => {
      await say('I live in Rome.');
      const [fact] = (await engine.facts.list({ scope: session })).facts;
      const content = 'Ann lives in Turin.';
      const root = fact?.row.root_uuid ?? '';
      if (changed === 'update') await engine.facts.update(root, { content });
      else await engine.correct(root, { content });
      const [byHand] = (await engine.facts.list({ scope: session })).facts;
      expect(JSON.stringify(byHand?.row)).not.toMatch(/rome/i);
      // It is no end of Turin, and no home again in Rome is known.
      await say('I no longer live in Rome.');
      expect(await current()).toContain(content);
      expect((await say('I moved back to Rome.')).outcomes).toEqual(['superseded']);
      expect(await current()).not.toContain(content);
    },
  );

  it('ends what somebody made of its value, where that is over', async () => {
    await say('I live in Rome.');
    const [fact] = (await engine.facts.list({ scope: session })).facts;
    await engine.correct(fact?.row.root_uuid ?? '', { content: 'Ann lives in Turin.' });
    expect((await say('I no longer live in Turin.')).outcomes).toEqual(['superseded']);
    expect(await current()).toEqual([]);
  });

  it('is no caller’s to set', async () => {
    const content = 'Ann is on the list of guests.';
    const metadata = { capture_slot: 'home', capture_value: 'rome', capture_beside: true, note: 1 };
    await engine.remember(session, { content, subject: 'Ann', metadata });
    const [fact] = (await engine.facts.list({ scope: session })).facts;
    expect(fact?.row).toHaveProperty('metadata', { note: 1 });
    expect((await say('I live in Rome.')).outcomes).toEqual(['stored']);
    await say('I moved to Oslo.');
    expect(await current()).toEqual(['Ann moved to Oslo.', content]);
  });

  it('comes back with the user whose it is and the conversation that it was captured from', async () => {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    ({ scope_block_uuid: session } = await engine.scopes.create({
      type: 'chat_session',
      inherits: [user],
    }));
    await say('I live in Rome.');
    await say('I live in Oslo now.');
    const exported = async (scope: string): Promise<unknown[]> => {
      const lines: unknown[] = [];
      for await (const line of engine.exportScope(scope)) lines.push(line);
      return lines;
    };
    const [ofUser, ofSession] = [await exported(user), await exported(session)];
    await using there = await openEngine({
      permission_profile: LOCAL_PROFILE,
      manifests: PACKAGE_MANIFESTS,
      time,
    });
    const importing = async (...files: readonly (readonly unknown[])[]) =>
      there.importScope(
        (async function* () {
          for (const lines of files) yield* lines;
        })(),
      );
    // Each needs the other.
    await expect(importing(ofUser)).rejects.toMatchObject({ code: 'WRITE.SOURCE_GONE' });
    await expect(importing(ofSession)).rejects.toMatchObject({ code: 'SCOPE.NOT_FOUND' });
    await expect(importing(ofUser, ofUser)).rejects.toMatchObject({ code: 'WRITE.INVALID' });
    await expect(importing(ofUser, ofSession.slice(0, -1))).rejects.toMatchObject({
      code: 'WRITE.INVALID',
    });
    expect(await importing(ofUser, ofSession)).toMatchObject({
      scope_block_uuid: user,
      beside: [{ scope_block_uuid: session }],
    });
    expect(await memory(there)).toEqual(await memory());
    const turn = (await there.facts.list({ scope: session })).facts[0]?.origin.sources ?? [];
    expect(turn).toHaveLength(1);
    await say('I moved to Ghent.', there);
    expect(await current(there)).toEqual(['Ann moved to Ghent.']);
  });

  it('is the same in what is exported and imported', async () => {
    await say('I live in Rome.');
    await say('I live in Oslo now.');
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(session)) lines.push(line);
    await using there = await openEngine({
      permission_profile: LOCAL_PROFILE,
      manifests: PACKAGE_MANIFESTS,
      time,
    });
    await there.importScope(
      (async function* () {
        yield* lines;
      })(),
    );
    expect(await memory(there)).toEqual(await memory());
    const at = time.ms;
    const here = await say('I moved to Ghent.');
    time.ms = at;
    const elsewhere = await say('I moved to Ghent.', there);
    // The turns came along, and are captured there once more: what they say is known.
    expect(here.outcomes).toEqual(['superseded']);
    expect(elsewhere.outcomes).toEqual(['duplicate', 'duplicate', 'superseded']);
    expect(await memory(there)).toEqual(await memory());
    expect(await current(there)).toEqual(['Ann moved to Ghent.']);
  });
});
