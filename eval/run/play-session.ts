/**
 * What a provider's prompt cache keeps of a session: the tokens that one composition has in common
 * with the one before, from their beginning.
 */
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, createTokenCounter, LOCAL_PROFILE } from '../../src/index.ts';
import { repositoryRoot } from '../gate/ranking-code.ts';
import { ownSuite } from '../own-suites.ts';

export interface SessionOptions {
  /** Turns of the session; every other one is asked, so that half of them compose. */
  readonly turns: number;
  /** Facts that the scope of the user holds beforehand. */
  readonly facts: number;
  /** Short turns of the gold set (17 tokens) that make one turn. Default 1. */
  readonly joined?: number;
  /** A manifest of `chat_session`, or a folder of manifests. Default that of the package. */
  readonly manifest?: string;
}

/** Of all compositions of a session but the first. */
export interface PrefixShare {
  readonly tokens: number;
  /** Share of `tokens` that stand as in the composition before, from the beginning. */
  readonly stable: number;
  /** Share that a cache serves: a prefix of 1,024 tokens or more, in steps of 128, as OpenAI's. */
  readonly cached: number;
}

/**
 * `messages` is what `messages('openai')` gives, where what the query found stands behind the
 * turns; `in_front` the same with `changing: 'system'`, all of the context before them. The query
 * itself, which is new each time, is in none.
 */
export interface SessionPrefix {
  readonly turns: number;
  readonly facts: number;
  readonly text: PrefixShare;
  readonly messages: PrefixShare;
  readonly in_front: PrefixShare;
}

const MINUTE_MS = 60_000;
const COUNTED_AS = 'gpt-4o';
const LEAST_CACHED = 1024;
const CACHED_STEP = 128;

type Count = (text: string) => number;

/** Turns and facts of the gold set, played against an engine in memory. */
export async function playSession(options: SessionOptions): Promise<SessionPrefix> {
  const { turns, facts, joined = 1 } = options;
  const counter = await createTokenCounter([COUNTED_AS]);
  const count: Count = (text) => counter(text, COUNTED_AS);
  const clock = { ms: Date.parse('2026-06-01T09:00:00Z') };
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: options.manifest ?? `${repositoryRoot()}/manifests`,
    clock: () => clock.ms,
  });
  const prefixes = {
    text: new Prefix(count),
    messages: new Prefix(count),
    front: new Prefix(count),
  };
  const scope = await openSession(engine, goldFacts().slice(0, facts));
  for (const [index, content] of goldTurns(joined).slice(0, turns).entries()) {
    clock.ms += MINUTE_MS;
    const isAsked = index % 2 === 0;
    if (isAsked) {
      const composition = await engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'follow_up',
        query: content,
        permission_profile: LOCAL_PROFILE,
      });
      prefixes.text.add(composition.text);
      prefixes.messages.add(sent(composition.messages('openai')));
      prefixes.front.add(sent(composition.messages('openai', { changing: 'system' })));
    }
    await engine.append(scope, [{ role: isAsked ? 'user' : 'assistant', content }]);
  }
  return {
    turns,
    facts,
    text: prefixes.text.share(),
    messages: prefixes.messages.share(),
    in_front: prefixes.front.share(),
  };
}

async function openSession(engine: ContextEngine, facts: readonly string[]): Promise<string> {
  const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
  const session = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
  for (const content of facts) await engine.remember(user, { content });
  await engine.embedPending();
  return session.scope_block_uuid;
}

function goldTurns(joined: number): readonly string[] {
  const short = ownSuite('gold').suite.stores.flatMap(({ turns }) =>
    turns.flatMap(({ block_type: type, content }) => (type ? [] : [content ?? ''])),
  );
  return Array.from({ length: Math.floor(short.length / joined) }, (_, place) =>
    short.slice(place * joined, (place + 1) * joined).join(' '),
  );
}

const goldFacts = (): readonly string[] =>
  ownSuite('gold').suite.stores.flatMap(({ facts }) => facts.map(({ content }) => content));

/** Without the query, which is the last message. */
const sent = (messages: readonly { readonly role: string; readonly content?: unknown }[]): string =>
  messages
    .slice(0, -1)
    .map(({ role, content }) => `${role}\n${String(content)}\n`)
    .join('');

class Prefix {
  readonly #count: Count;
  #before: string | null = null;
  #kept = 0;
  #cached = 0;
  #tokens = 0;

  constructor(count: Count) {
    this.#count = count;
  }

  add(text: string): void {
    if (this.#before !== null) {
      const kept = this.#count(text.slice(0, commonLength(this.#before, text)));
      this.#kept += kept;
      this.#cached += kept < LEAST_CACHED ? 0 : Math.floor(kept / CACHED_STEP) * CACHED_STEP;
      this.#tokens += this.#count(text);
    }
    this.#before = text;
  }

  share(): PrefixShare {
    const of = (tokens: number): number => (this.#tokens === 0 ? 0 : tokens / this.#tokens);
    return { tokens: this.#tokens, stable: of(this.#kept), cached: of(this.#cached) };
  }
}

function commonLength(before: string, after: string): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  return same;
}
