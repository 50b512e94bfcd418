/** Talks that are told to an engine that captures without a model, and what it knows of them. */
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import type { TestClock } from './engines.ts';
import { withLocalEngine } from './local-engine.ts';
import type { AskedTheme, StateTalk } from './state-talk.ts';

const DAY_MS = 86_400_000;
const MEMORY = ['open_set', 'schema_typed'];

export interface Asked {
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
  (text.split(`<${layer}>`)[1]?.split(`</${layer}>`)[0] ?? '')
    .split('\n')
    .map((line) => line.replace(MARKS, ''));
/** `#81 (until 2025-06-27) `: neither the number of the line nor its end is a value. */
const MARKS = /^#\d+ (?:\(until [\d-]+\) )?/;

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

/** What holds at the end, and what held in the middle of each span. */
async function ask(
  engine: ContextEngine,
  asking: string,
  { states, end }: Pick<StateTalk, 'states' | 'end'>,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const { theme, spans } of states) {
    const askOne = async (expected: string, query: string, asOf?: number): Promise<void> => {
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
    for (const query of theme.asks) await askOne(last?.value ?? '', query);
    for (const [index, span] of spans.slice(0, -1).entries()) {
      const until = spans[index + 1]?.from ?? end;
      await askOne(span.value, theme.asks[0] ?? '', (span.from + until) / 2);
      if (span.from < span.told)
        await askOne(
          span.value,
          theme.asks[0] ?? '',
          Math.min(span.from + 1.5 * DAY_MS, (span.from + until) / 2),
        );
    }
  }
  return asked;
}

/** Tells a talk to an engine, session by session, and asks what holds and what held. */
export async function askStates(
  { sessions, states, end }: StateTalk,
  who: string,
): Promise<readonly Asked[]> {
  const time: TestClock = { ms: (sessions[0]?.[0]?.at ?? end) - DAY_MS };
  return await withLocalEngine({ time }, async (engine) => {
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
    return await ask(engine, asking, { states, end });
  });
}

export const rightOf = (asked: readonly Asked[], kind: Asked['kind']): number => {
  const of = asked.filter((each) => each.kind === kind);
  return of.filter(({ isRight }) => isRight).length / of.length;
};
