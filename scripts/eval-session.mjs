/**
 * What a provider's prompt cache keeps of a session under `manifests/chat-session.yaml`: the tokens
 * that one composition has in common with the next, from their beginning.
 *
 *     node scripts/eval-session.mjs [--turns 50] [--facts N …] [--joined N] [--manifests FOLDER]
 *
 * The turns are those of the gold set, and so are the facts, which stand in the scope of the user.
 * They are short (17 tokens); `--joined 4` makes each turn of four of them.
 * `text` is `composition.text`; `messages` is what `messages('openai')` gives, what the query found
 * behind the turns, and `messages, changing system` what it gives with that option, all of the
 * context in front. A cache serves a prefix from 1,024 tokens on, in steps of 128 (OpenAI's rule).
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { ownSuite } from '../dist/eval/own-suites.js';
import { createContextEngine, LOCAL_PROFILE } from '../dist/src/index.js';

const MINUTE_MS = 60_000;
const LEAST_CACHED = 1024;
const CACHED_STEP = 128;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '50' },
    joined: { type: 'string', default: '1' },
    facts: { type: 'string', multiple: true, default: ['0', '10', '40'] },
    manifests: {
      type: 'string',
      default: fileURLToPath(new URL('../manifests', import.meta.url)),
    },
  },
});

const { stores } = ownSuite('gold').suite;
const short = stores.flatMap(({ turns }) => turns.filter(({ block_type: type }) => !type));
const joined = Number(values.joined);
const said = Array.from({ length: Math.floor(short.length / joined) }, (_, place) => ({
  content: short
    .slice(place * joined, (place + 1) * joined)
    .map(({ content }) => content)
    .join(' '),
}));
const known = stores.flatMap(({ facts }) => facts);

function commonLength(before, after) {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  return same;
}

const served = (tokens) =>
  tokens < LEAST_CACHED ? 0 : Math.floor(tokens / CACHED_STEP) * CACHED_STEP;

/** Sums over the compositions of a session, but for the first. */
class Prefix {
  before = null;
  kept = 0;
  cached = 0;
  tokens = 0;
  add(text) {
    const tokens = encode(text);
    if (this.before !== null) {
      const kept = commonLength(this.before, tokens);
      this.kept += kept;
      this.cached += served(kept);
      this.tokens += tokens.length;
    }
    this.before = tokens;
  }
  print(name) {
    const percent = (count) => ((100 * count) / this.tokens).toFixed(1);
    return `${name}: ${percent(this.kept)} % of ${this.tokens} tokens stand as before, a cache serves ${percent(this.cached)} %`;
  }
}

async function playSession({ turns, facts }) {
  let now = Date.parse('2026-06-01T09:00:00Z');
  const engine = await createContextEngine({
    database: { inMemory: true },
    manifests: resolve(values.manifests),
    clock: () => now,
  });
  const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
  const session = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
  const scope = session.scope_block_uuid;
  for (const { content } of known.slice(0, facts)) await engine.remember(user, { content });
  await engine.embedPending();
  const text = new Prefix();
  const messages = new Prefix();
  const inFront = new Prefix();
  for (const [index, { content }] of said.slice(0, turns).entries()) {
    now += MINUTE_MS;
    const isAsked = index % 2 === 0;
    if (isAsked) {
      const composition = await engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'follow_up',
        query: content,
        permission_profile: LOCAL_PROFILE,
      });
      text.add(composition.text);
      messages.add(textOf(composition.messages('openai')));
      inFront.add(textOf(composition.messages('openai', { changing: 'system' })));
    }
    await engine.append(scope, [{ role: isAsked ? 'user' : 'assistant', content }]);
  }
  await engine.close();
  return [
    text.print('text'),
    messages.print('messages'),
    inFront.print('messages, changing system'),
  ];
}

/** Without the query, which is new each time. */
const textOf = (messages) =>
  messages
    .slice(0, -1)
    .map(({ role, content }) => `${role}\n${content}\n`)
    .join('');

for (const facts of values.facts) {
  const lines = await playSession({ turns: Number(values.turns), facts: Number(facts) });
  process.stdout.write(`${values.turns} turns, ${facts} facts\n  ${lines.join('\n  ')}\n`);
}
