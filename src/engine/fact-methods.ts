/**
 * The engine's memory in hand: facts by page, one of them, by words, through time; and a change.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { spaceName } from '../inference/embedder.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { AnyRow } from '../model/block.ts';
import { notBefore } from '../model/clock.ts';
import type { AnyFact, FactFilter, FactKey, FactRecord } from '../model/fact-record.ts';
import { type Instant, parseInstant, parseUuid, shown, type Uuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import type { FactChangeInput } from '../model/write-input.ts';
import { principalsOf } from '../permission/door.ts';
import { fuse } from '../scoring/fusion.ts';
import { MAX_EMBEDDED_CHARS } from '../write/embed-rows.ts';
import type { CallOptions } from './call-options.ts';
import { correct } from './correct-method.ts';
import { type EngineParts, readerOf, signalOf } from './engine-parts.ts';
import type { FactListing, FactSearch, FoundFact, Memory } from './memory-surface.ts';

const DEFAULT_LIMIT = 100;
const DEFAULT_FOUND = 10;

export function createFacts(parts: EngineParts): Pick<Memory, 'facts'> {
  const { authority, open, outage, now } = parts;
  return {
    facts: {
      list: open(async (asked, options) => {
        const { scope, state, filter, limit, after } = checkListing(asked ?? {});
        const reading = await readingOf(parts, scope, options);
        const { tenant, scopes, readable, at } = reading;
        const question = { scopes, readable, state, at, filter, limit, after };
        const { facts, total, hasMore } = await authority.listFacts(tenant, question);
        const last = facts.at(-1);
        const cursor = hasMore && last ? toCursor(last.row) : null;
        return { facts: await withOrigins(facts, reading, parts), total, cursor };
      }),
      get: open(async (id, options) => {
        const uuid = parseUuid(id, 'id');
        const reading = await readingOf(parts, null, options);
        const { rows: versions } = await readRows(parts, reading, { versions: [uuid] });
        const [version] = factsOf(versions);
        // The first version has the uuid of its root, which asks for what is so now.
        const isRoot = version === undefined || version.row.root_uuid === uuid;
        const found = isRoot ? latest(await versionsOf(uuid, reading, parts)) : version;
        const [record] = found ? await withOrigins([found], reading, parts) : [];
        if (record) return record;
        throw factMissing(uuid);
      }),
      search: open(async (query, asked, options) => {
        checkInput('fact_search', { query, ...asked });
        const reading = await readingOf(parts, parseUuid(asked.scope, 'scope'), options);
        return searchFacts(query, { ...asked, options }, { reading, parts });
      }),
      history: open(async (root, options) => {
        const uuid = parseUuid(root, 'root');
        const reading = await readingOf(parts, null, options);
        const versions = await versionsOf(uuid, reading, parts);
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
  readonly tenant: Grant['tenant'];
  /** What is listed. */
  readonly scopes: readonly Uuid[];
  /** All that the caller reads. */
  readonly readable: readonly Uuid[];
  readonly at: Instant;
}

/** `scope`: that one and those that it inherits from; null = all that the caller reads. */
export async function readingOf(
  parts: EngineParts,
  scope: Uuid | null,
  options: CallOptions | undefined,
): Promise<Reading> {
  const { authority, permission, now } = parts;
  const grant = await readerOf(parts, options);
  const { tenant } = grant;
  const listed = await authority.listScopes(tenant, grant.scopes, now());
  const readable = listed.flatMap((each) =>
    permission.mayRead(grant, each.scope) ? [each.scope.root_uuid] : [],
  );
  if (scope === null) return { tenant, scopes: readable, readable, at: now() };
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
  const all = [...new Set([...readable, ...scopes])];
  return { tenant, scopes, readable: all, at: notBefore(now(), met) };
}

const factsOf = (rows: readonly AnyRow[]): readonly AnyFact[] =>
  rows.flatMap((row) =>
    row.table === 'memory_open_set' || row.table === 'memory_schema_typed' ? [row] : [],
  );

const readRows = (
  { authority }: EngineParts,
  { tenant, readable: scopes }: Reading,
  asked: { readonly versions: readonly Uuid[] } | { readonly roots: readonly Uuid[] },
) =>
  authority.read(
    'versions' in asked
      ? { kind: 'versions', tenant, scopes, uuids: asked.versions }
      : { kind: 'history', tenant, scopes, roots: asked.roots },
  );

/** Oldest first. */
const versionsOf = async (
  root: Uuid,
  reading: Reading,
  parts: EngineParts,
): Promise<readonly AnyFact[]> => factsOf((await readRows(parts, reading, { roots: [root] })).rows);

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
  { reading, parts }: { readonly reading: Reading; readonly parts: EngineParts },
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
