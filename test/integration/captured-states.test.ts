/**
 * States that a person tells in conversation, captured by rules: what holds today, and what held on
 * a day before, as it is known today. Rules are tuned on the themes of `tuned` and `opened`; those
 * of `reported`, by another hand, are measured and printed alone. `CAPTURE_STATE_TALKS`
 * conversations of each.
 */
import { describe, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, type TestClock } from '../support/engines.ts';
import { stateDialogue } from '../support/state-dialogues.ts';
import { type AskedTheme, type StateTalk, stateTalk } from '../support/state-talk.ts';
import type { StateTheme } from '../support/state-themes.ts';

const MANIFESTS = new URL('../../manifests', import.meta.url).pathname;
const TALKS = Number(process.env['CAPTURE_STATE_TALKS'] ?? 1);
const DAY_MS = 86_400_000;
const MEMORY = ['open_set', 'schema_typed'];

interface Asked {
  readonly theme: string;
  readonly at: string;
  readonly kind: 'current' | 'past';
  readonly expected: string;
  readonly isRight: boolean;
  readonly served: readonly string[];
}

const says = (text: string, value: string): boolean => {
  const words = value.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![a-z0-9])${words}s?(?![a-z0-9])`).test(text.toLowerCase());
};

/** The lines of a layer. */
const sectionOf = (text: string, layer: string): readonly string[] =>
  (text.split(`<${layer}>`)[1]?.split(`</${layer}>`)[0] ?? '').split('\n');

/** Right: the value is served, and no other of its theme is stated. */
function judge(theme: AskedTheme, expected: string, texts: readonly string[]): boolean {
  const stated = theme.values.filter((value) => texts.some((text) => says(text, value)));
  return stated.length === 1 && stated[0] === expected;
}

/** What was said of others waits for a review: who reviews believes it. */
const REVIEWER = { permission_profile: { ...LOCAL_PROFILE, principal: 'carol' } };

const allowReviews = (engine: ContextEngine): Promise<unknown> =>
  engine.principals.set({
    principal: REVIEWER.permission_profile.principal,
    kind: 'human',
    scopes: '*',
    tiers: { approvals: 'T1' },
  });
async function review(engine: ContextEngine): Promise<void> {
  for (const { proposal_uuid } of await engine.approvals.list({ state: 'pending' }, REVIEWER))
    await engine.approvals.approve(proposal_uuid, null, REVIEWER);
}

async function talk({ sessions, states, end }: StateTalk, who: string): Promise<readonly Asked[]> {
  const time: TestClock = { ms: Date.parse('2025-02-01T08:00:00Z') };
  const engine = await openEngine({
    manifests: MANIFESTS,
    permission_profile: LOCAL_PROFILE,
    time,
  });
  try {
    await allowReviews(engine);
    const user = (await engine.scopes.create({ type: 'user' })).scope_block_uuid;
    const session = async (): Promise<string> =>
      (await engine.scopes.create({ type: 'chat_session', inherits: [user] })).scope_block_uuid;
    const asking = await session();
    for (const turns of sessions) {
      const scope = await session();
      time.ms = (turns.at(-1)?.at ?? time.ms) + 60_000;
      await engine.append(
        scope,
        turns.map(({ role, content, at }) => ({
          role,
          content,
          author: role === 'user' ? who : 'bot',
          occurred_at: new Date(at),
        })),
      );
      await engine.capture(scope);
      await review(engine);
    }
    time.ms = end;
    const asked: Asked[] = [];
    for (const { theme, spans } of states) {
      const ask = async (expected: string, query: string, asOf?: number): Promise<void> => {
        const { text } = await engine.composeBlockContext({
          scope_block_uuid: asking,
          intent: 'fact',
          query,
          permission_profile: LOCAL_PROFILE,
          ...(asOf !== undefined && {
            as_of: new Date(asOf).toISOString(),
            recorded_as_of: new Date(end).toISOString(),
          }),
        });
        const open = MEMORY.flatMap((layer) => sectionOf(text, layer));
        asked.push({
          theme: theme.key,
          at: new Date(asOf ?? end).toISOString(),
          kind: asOf === undefined ? 'current' : 'past',
          expected,
          isRight: judge(theme, expected, open),
          served: open.filter((line) => theme.values.some((value) => says(line, value))),
        });
      };
      const last = spans.at(-1);
      for (const query of theme.asks) await ask(last?.value ?? '', query);
      for (const [index, span] of spans.slice(0, -1).entries()) {
        const until = spans[index + 1]?.from ?? end;
        await ask(span.value, theme.asks[0] ?? '', (span.from + until) / 2);
        if (span.from < span.told)
          await ask(
            span.value,
            theme.asks[0] ?? '',
            Math.min(span.from + 1.5 * DAY_MS, (span.from + until) / 2),
          );
      }
    }
    return asked;
  } finally {
    await engine.close();
  }
}

const rate = (asked: readonly Asked[], kind: Asked['kind']): number => {
  const of = asked.filter((each) => each.kind === kind);
  return of.filter(({ isRight }) => isRight).length / of.length;
};

describe('states told in conversation, captured without a model', () => {
  // The bar is .95. Of three talks, before open nouns and verbs had slots: tuned .972 and 1.000, opened .952 and 1.000 (.905 and .931
  // before it was read), reported .667 and .869 (of one talk with the rules before: .400 and .560).
  it.each<[StateTheme['side'], number, number]>([
    ['tuned', 100, 0.95],
    ['opened', 200, 0.95],
    // Unread but for one: .800 and .860 of one talk, .667 and .869 before. A correction that waited beside what it corrects went as
    // the reviewer's order went, so .700 and .840 were seen as well.
    ['reported', 300, 0.75],
    // .288 and .438 unread; then its failures were read.
    ['everyday', 400, 0.8],
  ])('are known as they are and as they were: %s themes', async (side, seed, least) => {
    const asked: Asked[] = [];
    for (let index = 0; index < TALKS; index += 1)
      asked.push(...(await talk(stateTalk(side, seed + index), 'Ada')));
    const turns = stateTalk(side, seed)
      .sessions.flat()
      .filter(({ role }) => role === 'user');
    expect(turns.length).toBeGreaterThanOrEqual(50);
    process.stdout.write(
      `${side}: ${TALKS} talks of ${turns.length} turns, current ${rate(asked, 'current').toFixed(3)}, ` +
        `past ${rate(asked, 'past').toFixed(3)} of ${asked.length} questions\n`,
    );
    const wrong =
      side === 'tuned' || side === 'opened' ? asked.filter(({ isRight }) => !isRight) : [];
    expect(rate(asked, 'current'), JSON.stringify(wrong)).toBeGreaterThanOrEqual(least);
    expect(rate(asked, 'past'), JSON.stringify(wrong)).toBeGreaterThanOrEqual(least);
  });

  // Measured once unread: .517 and .556; then its failures were read.
  it('of conversations that were written out, each with its people and their words', async () => {
    const asked: Asked[] = [];
    let turns = 0;
    let changes = 0;
    for (const name of ['terse', 'rambling']) {
      const dialogue = stateDialogue(name);
      turns += dialogue.sessions.flat().filter(({ role }) => role === 'user').length;
      changes += dialogue.states.reduce((sum, { spans }) => sum + spans.length - 1, 0);
      asked.push(...(await talk(dialogue, dialogue.who)));
    }
    expect(turns).toBeGreaterThanOrEqual(50);
    expect(changes).toBeGreaterThanOrEqual(60);
    process.stdout.write(
      `written out: ${changes} changes in ${turns} turns, ` +
        `current ${rate(asked, 'current').toFixed(3)}, past ${rate(asked, 'past').toFixed(3)} ` +
        `of ${asked.length} questions\n`,
    );
    expect(rate(asked, 'current')).toBeGreaterThanOrEqual(0.85);
    expect(rate(asked, 'past')).toBeGreaterThanOrEqual(0.85);
  });

  // .467 and .867 unread: a style that nothing was read for.
  it('of memos that were written after the rules, unread for them', async () => {
    const dialogue = stateDialogue('memo');
    const asked = await talk(dialogue, dialogue.who);
    process.stdout.write(
      `memos: current ${rate(asked, 'current').toFixed(3)}, past ${rate(asked, 'past').toFixed(3)} ` +
        `of ${asked.length} questions\n`,
    );
    expect(asked.length).toBeGreaterThanOrEqual(45);
  });
});
