/**
 * The engine's memory in hand: facts by page, one of them, by words, through time; and a change.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { FactsFound } from '../../cxri/ports/facts.ts';
import { spaceName } from '../../inference/embedder.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { notBefore } from '../../model/clock.ts';
import type { AnyFact, FactFilter, FactKey, FactRecord } from '../../model/fact-record.ts';
import { type Instant, parseInstant, parseUuid, shown, type Uuid } from '../../model/ids.ts';
import { type Grant, isAllScopes, type ReadableScopes } from '../../model/permission.ts';
import type { FactChangeInput } from '../../model/write-input.ts';
import { principalsOf } from '../../permission/door.ts';
import { fuse } from '../../scoring/fusion.ts';
import { MAX_EMBEDDED_CHARS } from '../../write/embed-rows.ts';
import type { CallOptions } from '../call-options.ts';
import { type EngineParts, readerOf, signalOf } from '../engine-parts.ts';
import { readableScopes } from '../readable-scopes.ts';
import { correct } from './correct-method.ts';
import type { FactListing, FactSearch, FoundFact, Memory } from './memory-surface.ts';

const DEFAULT_LIMIT = 100;
const DEFAULT_FOUND = 10;

export function createFacts(parts: EngineParts): Pick<Memory, 'facts'> {
  const { authority, open, outage, now } = parts;
  return {
    facts: {
      list: open(async (asked, options) => {
        const { scope, state, filter, limit, after } = checkListing(asked ?? {});
        const reading =
          scope === null ? await readingOf(parts, options) : await readingIn(parts, scope, options);
        const { tenant, scopes, readable, at } = reading;
        const question = { scopes, readable, state, at, filter, limit, after };
        const { facts, total, hasMore } = await authority.listFacts(tenant, question);
        const last = facts.at(-1);
        const cursor = hasMore && last ? toCursor(last.row) : null;
        return { facts: await withOrigins(facts, reading, parts), total, cursor };
      }),
      get: open(async (id, options) => {
        const uuid = parseUuid(id, 'id');
        const reading = await readingOf(parts, options);
        const [version] = await versionsOf({ version: uuid }, reading, parts);
        // The first version has the uuid of its root, which asks for what is so now.
        const isRoot = version === undefined || version.row.root_uuid === uuid;
        const found = isRoot ? latest(await versionsOf({ root: uuid }, reading, parts)) : version;
        const [record] = found ? await withOrigins([found], reading, parts) : [];
        if (record) return record;
        throw factMissing(uuid);
      }),
      search: open(async (query, asked, options) => {
        checkInput('fact_search', { query, ...asked });
        const reading = await readingIn(parts, parseUuid(asked.scope, 'scope'), options);
        return searchFacts(query, { ...asked, options }, { reading, parts });
      }),
      history: open(async (root, options) => {
        const uuid = parseUuid(root, 'root');
        const reading = await readingOf(parts, options);
        const versions = await versionsOf({ root: uuid }, reading, parts);
        if (versions.length === 0) throw factMissing(uuid);
        return withOrigins(versions, reading, parts);
      }),
      update: open(async (root, change, options) => {
        checkInput('fact_change', change);
        const from = change.from === undefined ? now() : parseInstant(change.from, 'from');
        return outage.watch(
          () =>
            correct(
              parts,
              { root, correction: correctionOf(change, from), changes: from },
              options,
            ),
          ({ position }) => position.length > 0,
        );
      }),
    },
  };
}

const correctionOf = ({ from: _from, ...change }: FactChangeInput, at: Instant) => ({
  ...change,
  at,
});

interface Reading {
  readonly grant: Grant;
  readonly tenant: Grant['tenant'];
  /** What is listed. */
  readonly scopes: ReadableScopes;
  /** All that the caller reads. */
  readonly readable: ReadableScopes;
  readonly at: Instant;
}

/** All that the caller reads. */
async function readingOf(parts: EngineParts, options: CallOptions | undefined): Promise<Reading> {
  const grant = await readerOf(parts, options);
  const readable = await readableScopes(grant, parts);
  return { grant, tenant: grant.tenant, scopes: readable, readable, at: parts.now() };
}

/** That scope and those that it inherits from. */
export async function readingIn(
  parts: EngineParts,
  scope: Uuid,
  options: CallOptions | undefined,
): Promise<Reading & { readonly scopes: readonly Uuid[] }> {
  const { authority, permission, now } = parts;
  const { grant, tenant, readable } = await readingOf(parts, options);
  await permission.assertReadable(grant, scope, { door: 'facts', field: 'scope' });
  const { closure } = await authority.resolveScope({
    tenant,
    scope,
    principals: principalsOf(await parts.profileOf(options)),
    max_depth: 8,
    max_scopes: 64,
    ...signalOf(options),
  });
  const read = closure.filter((entry) => permission.mayRead(grant, entry.scope));
  const scopes = read.map((entry) => entry.scope.root_uuid);
  const met = read.reduce<Instant | null>(
    (last, { recorded_at: at }) => (at !== null && (last === null || at > last) ? at : last),
    null,
  );
  const all = isAllScopes(readable) ? readable : [...new Set([...readable, ...scopes])];
  return { grant, tenant, scopes, readable: all, at: notBefore(now(), met) };
}

/** As many as one page of facts holds. */
const PAGE = 1000;

/** Oldest first. */
async function versionsOf(
  which: { readonly version: Uuid } | { readonly root: Uuid },
  { tenant, scopes, readable, at }: Reading,
  { authority }: EngineParts,
): Promise<readonly AnyFact[]> {
  const found: AnyFact[] = [];
  let after: FactKey | null = null;
  do {
    const question = { ...which, scopes, readable, at, after, state: 'all', limit: PAGE } as const;
    const page: FactsFound = await authority.listFacts(tenant, { ...question, filter: {} });
    found.push(...page.facts);
    after = page.hasMore ? (page.facts.at(-1)?.row ?? null) : null;
  } while (after !== null);
  return found.sort(
    ({ row: a }, { row: b }) =>
      a.recorded_seq - b.recorded_seq || (a.valid_from < b.valid_from ? -1 : 1),
  );
}

/** The believed version that begins last; where none is believed any more, the last of all. */
function latest(versions: readonly AnyFact[]): AnyFact | undefined {
  const believed = versions.filter(({ row }) => row.retired_seq === null);
  return [...(believed.length > 0 ? believed : versions)]
    .sort((a, b) => (a.row.valid_from < b.row.valid_from ? -1 : 1))
    .at(-1);
}

async function withOrigins<T extends AnyFact>(
  facts: readonly T[],
  { tenant, readable }: Reading,
  { authority }: EngineParts,
): Promise<readonly (T & Pick<FactRecord, 'origin'>)[]> {
  if (facts.length === 0) return [];
  const uuids = facts.map(({ row }) => row.uuid);
  const origins = await authority.factOrigins(tenant, { uuids, readable });
  return facts.flatMap((fact) => {
    const origin = origins.get(fact.row.uuid);
    // Forgotten between the two reads.
    return origin ? [{ ...fact, origin }] : [];
  });
}

/** Words and meaning count the same: a list for people, whose order decides nothing. */
const WEIGHTS = { dense: 0.5, lexical: 0.5, words: 0 };

async function searchFacts(
  query: string,
  { limit = DEFAULT_FOUND, options }: FactSearch & { readonly options: CallOptions | undefined },
  {
    reading,
    parts,
  }: {
    readonly reading: Awaited<ReturnType<typeof readingIn>>;
    readonly parts: EngineParts;
  },
): Promise<readonly FoundFact[]> {
  const { authority } = parts;
  const { tenant, scopes, at: valid_at } = reading;
  const { position } = await authority.heads(tenant, scopes);
  const vector = await vectorOf(query, { ...parts, tenant }, options);
  const part = { id: 'facts', table: 'memory_open_set', mode: 'search', limit } as const;
  const { parts: answers } = await authority.query({
    tenant,
    position,
    valid_at,
    parts: [{ ...part, text: query, ...(vector && { vector }) }],
    ...signalOf(options),
  });
  const [answer] = answers;
  if (!answer?.ok)
    throw new ContextEngineError(answer?.error.code ?? 'CONNECTOR.UNAVAILABLE', {
      message: answer?.error.message ?? 'The search was not answered.',
      fix: 'Search again; see `contextengine doctor` where it goes on.',
    });
  const lexical = answer.hits.some(({ signals }) => signals.lexical !== undefined);
  const ran = { dense: vector !== null, lexical, words: false };
  const scored = answer.hits.flatMap(({ signals, table, row }) =>
    table === 'memory_open_set'
      ? [{ table, row, score: Math.round(1e6 * fuse(signals, WEIGHTS, ran)) / 1e6 }]
      : [],
  );
  const best = scored
    .sort((a, b) => b.score - a.score || (a.row.uuid < b.row.uuid ? -1 : 1))
    .slice(0, limit);
  return withOrigins(best, reading, parts);
}

/** null where there is no provider, or it is down: then the words alone are searched. */
async function vectorOf(
  query: string,
  { embedder, tenant }: Pick<EngineParts, 'embedder'> & { readonly tenant: Grant['tenant'] },
  options?: CallOptions,
) {
  if (!embedder) return null;
  const [values] = await embedder
    .embed([query.slice(0, MAX_EMBEDDED_CHARS)], { kind: 'query', tenant, ...signalOf(options) })
    .catch((error: unknown) => {
      if (error instanceof ContextEngineError && error.code.startsWith('INFERENCE.')) return [];
      throw error;
    });
  return values ? { space: spaceName(embedder.space), values } : null;
}

function checkListing(asked: FactListing) {
  checkInput('fact_listing', asked);
  const { scope, state = 'current', limit = DEFAULT_LIMIT, after, source, ...filter } = asked;
  const given: FactFilter = {
    ...filter,
    ...(source !== undefined && { source: parseUuid(source, 'source') }),
  };
  return {
    scope: scope === undefined ? null : parseUuid(scope, 'scope'),
    state,
    filter: given,
    limit,
    after: after === undefined ? null : parseCursor(after),
  };
}

const toCursor = ({ valid_from, uuid }: FactKey): string =>
  Buffer.from(JSON.stringify([valid_from, uuid])).toString('base64url');

/** A cursor says only after which fact to go on: what may be seen is judged anew. */
function parseCursor(cursor: string): FactKey {
  try {
    const [from, uuid]: readonly unknown[] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    );
    if (typeof from === 'string')
      return { valid_from: parseInstant(from, 'after'), uuid: parseUuid(uuid, 'after') };
  } catch {
    // Whatever it is, it is refused below.
  }
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`after\` is \`${shown(cursor)}\`, which is no cursor of a page of facts.`,
    fix: 'Pass the `cursor` of the page before, unchanged.',
    where: { field: 'after' },
  });
}

const factMissing = (id: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `There is no fact \`${id}\` that you may read.`,
    fix: 'Take a `uuid` or `root_uuid` from `facts.list`, `compose` or a receipt.',
    where: { field: 'id' },
  });
