/**
 * The loop that fills other memories: what is composed is said again, by the assistant and by the
 * person who pastes it, and captured again. A second session that hears the same words and nothing
 * composed is what the memory must be.
 */
import { describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { PACKAGE_MANIFESTS } from '../support/local-engine.ts';

const MINUTE_MS = 60_000;
/** Of forty turns each. */
const ROUNDS = 25;
/** After so many all of it is said again. */
const CYCLE = 5;

const FOODS = ['peanuts', 'shellfish', 'sesame', 'mustard', 'celery', 'lupin', 'kiwi', 'soy'];
const TOWNS = ['Lisbon', 'Bergen', 'Ghent', 'Turin', 'Porto', 'Graz', 'Lyon', 'Riga'];
const SEATS = ['window seats', 'aisle seats', 'quiet carriages', 'early trains', 'night buses'];
const PETS = ['Biscuit', 'Pixel', 'Momo', 'Olive', 'Waffle', 'Ziggy'];

/** Eight turns that a person says, four times in a round. */
function saidIn(round: number): readonly string[] {
  const of = (words: readonly string[]): string =>
    words[(round % (4 * CYCLE)) % words.length] ?? '';
  return [
    `I am allergic to ${of(FOODS)}.`,
    'Thanks, that helps a lot!',
    `I prefer ${of(SEATS)} on long trips.`,
    'What should I cook tonight?',
    `I moved to ${of(TOWNS)}.`,
    'Hm, let me think about it for a moment.',
    `My dog's name is ${of(PETS)}.`,
    'From now on, never book flights before nine.',
  ];
}

interface Loop {
  readonly rounds: number;
  /** What is composed is said by the assistant and pasted by the person. */
  readonly isComposed: boolean;
}

describe('a loop of 1,000 turns', () => {
  const time: TestClock = { ms: START_MS };

  it('captures nothing that the engine composed', { timeout: 300_000 }, async () => {
    const engine = await openEngine({
      database: { inMemory: true },
      permission_profile: LOCAL_PROFILE,
      manifests: PACKAGE_MANIFESTS,
      time,
    });
    const heard = await loopOf(engine, { rounds: ROUNDS, isComposed: true });
    const control = await loopOf(engine, { rounds: CYCLE, isComposed: false });
    expect(heard.facts.length).toBeGreaterThan(15);
    expect(heard.facts).toEqual(control.facts);
    expect(heard.ofSession).toEqual(control.ofSession);
    expect(heard.proposed).toEqual(control.proposed);
    // What changes takes the place of what was so: said again, nothing is more.
    expect(heard.sizes.at(-1)).toBe(heard.sizes[CYCLE - 1]);
    await engine.close();
  });

  async function loopOf(engine: ContextEngine, { rounds, isComposed }: Loop) {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const { scope_block_uuid: session } = await engine.scopes.create({
      type: 'chat_session',
      inherits: [user],
    });
    const say = async (role: string, contents: readonly string[]): Promise<void> => {
      const author = role === 'user' ? 'Ada' : 'bot';
      const turns = contents.map((content) => {
        time.ms += MINUTE_MS;
        return { role, author, content, occurred_at: new Date(time.ms) };
      });
      await engine.append(session, turns);
    };
    const factsNow = async (scope: Uuid): Promise<readonly string[]> => {
      const { facts } = await engine.facts.list({ scope, limit: 200 });
      return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
    };
    const composed = async (): Promise<string> => {
      const { text } = await engine.composeBlockContext({
        scope_block_uuid: session,
        intent: 'follow_up',
        query: 'Where do I live, what am I allergic to, and how do I like to travel?',
        permission_profile: LOCAL_PROFILE,
      });
      return text;
    };
    const sizes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await say(
        'user',
        [0, 1, 2, 3].flatMap((part) => saidIn(4 * round + part)),
      );
      const [answer, pasted] = isComposed ? [await composed()] : ['All right.', 'Thanks.'];
      const items = isComposed ? itemsOf(answer) : [];
      await say('assistant', [answer, ...items.slice(0, 1)]);
      await say('user', [pasted ?? answer, items.join('\n') || 'Fine.', ...items.slice(-2)]);
      await say('assistant', ['You are welcome.', 'Anything else?', 'I am here.']);
      await say('user', ['No.', 'Well, thanks.', 'Bye.']);
      await engine.capture(session);
      sizes.push((await factsNow(user)).length);
    }
    const pending = await engine.approvals.list({ limit: 1000 });
    const proposed = pending.flatMap(({ action }) =>
      action.operations
        .filter(({ scope }) => scope === user || scope === session)
        .map((each) =>
          'content' in each && 'content' in each.content ? each.content.content : each.operation,
        ),
    );
    const facts = await factsNow(user);
    return { facts, sizes, ofSession: await factsNow(session), proposed };
  }
});

/** The lines of a composition that begin an item, without what stands around them. */
const itemsOf = (composition: string): readonly string[] =>
  composition.split('\n').filter((line) => /^#\d/.test(line));
