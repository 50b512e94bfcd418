/**
 * `facts`: memory in hand. What is remembered, since when, from what, by whom and who approved it.
 */
import type { ContextEngine } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { compact, jsonOrText, numberFlag, required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { factDetails } from '../fact-details.ts';
import { type Listed, printFacts, scopeNames } from '../fact-table.ts';
import { factsProfile } from '../facts-profile.ts';
import { givenId } from '../given-id.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { whyNoFacts } from '../no-facts.ts';
import { printJson, printText, remark } from '../output.ts';
import { withEngine, withWritingEngine } from '../session.ts';
import { wrap } from '../table.ts';

type Facts = ContextEngine['facts'];
type Listing = NonNullable<Parameters<Facts['list']>[0]>;

const ACTIONS = ['list', 'get', 'search', 'history', 'update', 'profile'] as const;
/** How many arguments each takes, without its own name. */
const TAKES: Readonly<Record<(typeof ACTIONS)[number], readonly [min: number, max: number]>> = {
  list: [0, 0],
  get: [1, 1],
  search: [1, 1],
  history: [1, 1],
  update: [2, 2],
  profile: [1, 2],
};
const STATES = ['current', 'past', 'retired', 'all'] as const;

export const factsCommand: Command = {
  name: 'facts',
  summary: 'list, show, search or change what is remembered, with its origin',
  takes: {
    usage: 'list|get|search|history|update|profile [WHAT] [TEXT|JSON]',
    min: 1,
    max: 3,
  },
  usesLedger: true,
  flags: {
    scope: {
      type: 'string',
      value: SCOPE_VALUE,
      help: 'list, search, profile: this scope and those that it inherits from',
    },
    state: {
      type: 'string',
      value: 'STATE',
      help: `list: ${STATES.join(', ')} (default current)`,
    },
    subject: { type: 'string', value: 'NAME', help: 'list: about this subject' },
    class: { type: 'string', value: 'CLASS', help: 'list: preference, rule, …; typed' },
    tag: { type: 'string', value: 'TAG', help: 'list: with this tag' },
    collection: { type: 'string', value: 'NAME', help: 'list: typed values of this collection' },
    property: { type: 'string', value: 'NAME', help: 'list: typed values of this property' },
    extractor: { type: 'string', value: 'NAME', help: 'list: captured by it, as rules or rules/9' },
    source: { type: 'string', value: 'UUID', help: 'list: made from this turn, or of this scope' },
    from: { type: 'string', value: 'TIME', help: 'update: since when it is so (default now)' },
    reason: { type: 'string', value: 'TEXT', help: 'update: why, for the journal' },
    limit: { type: 'string', value: 'N', help: 'list, search: at most so many (default 100, 10)' },
    after: { type: 'string', value: 'CURSOR', help: 'list: the page after this one' },
  },
  notes: `
A fact that was captured names the turn that it was made from, the extractor, and who approved it
where it waited as a proposal. update says what is otherwise from now on (see correct for what was
never so); it is T2 for an agent like any write. What waits for a review: contextengine approvals.
profile shows the typed values of a subject, and sets those of a JSON object by collection; null
takes a value out, what is not named stays.
`,
  examples: [
    'contextengine facts list --scope dana --class preference',
    'contextengine facts get 0190a2b4-…',
    'contextengine facts search "where does she live" --scope dana',
    'contextengine facts update 0190a2b4-… "Lives in Turin." --from 2026-05-01',
    'contextengine facts profile user --scope dana',
    'contextengine facts profile user \'{"chat_user_profile":{"units":"metric"}}\' --scope dana',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', subject, text] = call.positionals;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`facts ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  const given = [subject, text].filter((word) => word !== undefined).length;
  const [min, max] = TAKES[action];
  if (given < min || given > max)
    throw usageError(
      `\`facts ${action}\` takes ${min === max ? min : `${min} or ${max}`} ` +
        `${max === 1 ? 'argument' : 'arguments'}, got ${given}.`,
      `${max === 0 && subject !== undefined ? `Write \`--scope ${subject}\` for a scope.` : 'Quote a text that has spaces.'} ` +
        'Run `contextengine help facts`.',
    );
  if (action === 'list') return list(call);
  if (action === 'get' || action === 'history' || action === 'update')
    givenId('fact', subject ?? '');
  if (action === 'update') return update(call, subject ?? '', text ?? '');
  if (action === 'profile') return factsProfile(call, subject ?? '', text);
  return show(call, action, subject ?? '');
}

function stateOf(call: Call): Listing['state'] {
  const given = call.flags.text('state');
  if (given === undefined) return undefined;
  const state = STATES.find((known) => known === given);
  if (state) return state;
  throw usageError(`\`--state\` is \`${given}\`.`, `Use ${STATES.join(', ')}.`);
}

async function list(call: Call): Promise<ExitCode> {
  const { flags } = call;
  const scope = flags.text('scope');
  const state = stateOf(call);
  const names = [
    'subject',
    'class',
    'tag',
    'collection',
    'property',
    'extractor',
    'after',
  ] as const;
  const texts = Object.fromEntries(names.map((name) => [name, flags.text(name)]));
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const source = flags.text('source');
    const uuid = scope === undefined ? undefined : await givenScope(engine, scope);
    const asked = compact({
      ...texts,
      state,
      limit: numberFlag(flags, 'limit'),
      scope: uuid,
      source: source === undefined ? undefined : await givenScope(engine, source),
    });
    const page = await engine.facts.list(asked);
    if (call.isJson) await printJson(call, page);
    else if (page.facts.length === 0) await remarkNone(call, engine.facts, asked);
    else await printFacts(call, page.facts, await scopeNames(engine, readOf(page, scope, uuid)));
    if (!call.isJson && page.facts.length > 0)
      remark(call, `${page.facts.length} of ${page.total}`);
    if (!call.isJson && page.cursor !== null) remark(call, `More: --after ${page.cursor}`);
    return 0;
  });
}

async function remarkNone(call: Call, facts: Facts, asked: Listing): Promise<void> {
  const why = await whyNoFacts(facts, asked);
  remark(call, why === '' ? 'No facts.' : `No facts.\n${wrap(why, call.terminal.columns)}`);
}

const readOf = (
  { facts }: Pick<Listed, 'facts'>,
  given: string | undefined,
  uuid: string | undefined,
): Listed => ({
  facts,
  scope: given === undefined || uuid === undefined ? null : { given, uuid },
});

async function show(
  call: Call,
  action: 'get' | 'search' | 'history',
  asked: string,
): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    if (action === 'get') {
      const fact = await engine.facts.get(asked);
      if (call.isJson) await printJson(call, fact);
      else await printText(call, await factDetails(engine.facts, fact));
      return 0;
    }
    if (action === 'search') return search(call, engine, asked);
    const facts = await engine.facts.history(asked);
    if (call.isJson) await printJson(call, facts);
    else if (facts.length === 0) remark(call, 'No facts.');
    else await printFacts(call, facts, null);
    return 0;
  });
}

async function search(call: Call, engine: ContextEngine, query: string): Promise<ExitCode> {
  const scope = required(call.flags, 'scope', SCOPE_VALUE);
  const uuid = await givenScope(engine, scope);
  const limit = numberFlag(call.flags, 'limit');
  const facts = await engine.facts.search(query, compact({ scope: uuid, limit }));
  if (call.isJson) await printJson(call, facts);
  else if (facts.length === 0) remark(call, 'No facts.');
  else {
    await printFacts(call, facts, await scopeNames(engine, readOf({ facts }, scope, uuid)));
    const [shown, total] = [facts.length, await searched(engine.facts, uuid)];
    const most = Math.min(total, MOST_FOUND);
    const isCut = shown === (limit ?? DEFAULT_FOUND) && most > shown;
    const more = isCut ? `: --limit ${most} shows more` : '';
    remark(call, `showing ${shown} of ${total}, the best first${more}`);
  }
  return 0;
}

/** Facts that a search gives: unless it is told how many, and at most. */
const DEFAULT_FOUND = 10;
const MOST_FOUND = 100;

/** A search goes through what stands but typed values. */
async function searched({ list }: Facts, scope: string): Promise<number> {
  const all = await list({ scope, limit: 1 });
  const typed = await list({ scope, limit: 1, class: 'typed' });
  return all.total - typed.total;
}

async function update(call: Call, root: string, text: string): Promise<ExitCode> {
  const times = compact({ from: call.flags.text('from'), reason: call.flags.text('reason') });
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const { table } = await engine.facts.get(root);
    const change =
      table === 'memory_schema_typed'
        ? { value: jsonOrText(text), ...times }
        : { content: text, ...times };
    const result = await engine.facts.update(root, change);
    const [receipt] = result.receipts;
    if (call.isJson) await printJson(call, result);
    else if (result.proposal)
      await printText(call, `waits as proposal ${result.proposal.proposal_uuid}`);
    else await printText(call, `${receipt?.outcome ?? ''} ${receipt?.uuid ?? ''}`);
    return 0;
  });
}
