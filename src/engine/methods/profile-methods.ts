/**
 * A profile: the typed values of a subject, read and set as one object. A change is one write of
 * what differs from what stands, so that it is proposed, refused or written as a whole.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { isSameJson } from '../../ledger/same-content.ts';
import type { TypedRow } from '../../model/block.ts';
import type { ProfileValues } from '../../model/collection-register.ts';
import type { FactKey } from '../../model/fact-record.ts';
import { type Instant, parseUuid, type Uuid } from '../../model/ids.ts';
import type { Collection } from '../../model/manifest.ts';
import { countsOf, type Operation } from '../../model/operation.ts';
import type { PermissionProfile } from '../../model/permission.ts';
import { checkProfile, type WantedValue } from '../../write/check-profile.ts';
import { typedOperation } from '../../write/to-operations.ts';
import { writeOperations } from '../../write/write.ts';
import type { CallOptions } from '../call-options.ts';
import { optionsOf } from '../check-options.ts';
import { type EngineParts, signalOf } from '../engine-parts.ts';
import { readingIn } from './fact-methods.ts';
import type { ProfileOptions, Profiles } from './profile-surface.ts';

/** What one page of values holds at most. */
const PAGE = 1000;

export function createProfiles(parts: EngineParts): Profiles {
  const { open, outage } = parts;
  const get = open(async (scope: string, subject: string, options?: CallOptions) => {
    const read = await readProfile(parts, { scope, subject }, options);
    return valuesOf(read, parts.manifests.collections);
  });
  const set = open(async (setting: Setting) =>
    outage.watch(
      () => setProfile(parts, { ...setting, options: optionsOf(setting.options) }),
      ({ receipts }) => receipts.length > 0,
    ),
  );
  return {
    profile: (scope, subject) => ({
      get: (options) => get(scope, subject, options),
      set: (values, options) => set({ scope, subject, values, options }),
    }),
  };
}

interface ReadProfile {
  readonly scope: Uuid;
  readonly at: Instant;
  /** Those of the nearest scope that has any of the property. Oldest first. */
  readonly nearest: (collection: string, property: string) => readonly TypedRow[];
  /** Those of the scope itself. */
  readonly own: (collection: string, property: string) => readonly TypedRow[];
}

async function readProfile(
  parts: EngineParts,
  asked: { readonly scope: string; readonly subject: string },
  options: CallOptions | undefined,
): Promise<ReadProfile> {
  checkInput('profile_subject', { subject: asked.subject });
  const scope = parseUuid(asked.scope, 'scope');
  const reading = await readingIn(parts, scope, options);
  const { scopes, readable, at, tenant } = reading;
  const rows: TypedRow[] = [];
  let after: FactKey | null = null;
  do {
    const question = { scopes, readable, at, after, state: 'current', limit: PAGE } as const;
    const filter = { subject: asked.subject, class: 'typed' };
    const page = await parts.authority.listFacts(tenant, { ...question, filter });
    for (const { table, row } of page.facts) if (table === 'memory_schema_typed') rows.push(row);
    after = page.hasMore ? (page.facts.at(-1)?.row ?? null) : null;
  } while (after !== null);
  const placeOf = new Map(scopes.map((each, place) => [each, place]));
  const found = (collection: string, property: string): readonly TypedRow[] =>
    rows
      .filter((row) => row.collection === collection && row.property === property)
      .sort((a, b) =>
        a.valid_from === b.valid_from
          ? a.recorded_seq - b.recorded_seq
          : a.valid_from < b.valid_from
            ? -1
            : 1,
      );
  return {
    scope,
    at,
    nearest: (collection, property) => {
      const all = found(collection, property);
      const places = all.map((row) => placeOf.get(row.scope_uuid) ?? scopes.length);
      const nearest = Math.min(...places);
      return all.filter((_, index) => places[index] === nearest);
    },
    own: (collection, property) =>
      found(collection, property).filter((row) => row.scope_uuid === scope),
  };
}

function valuesOf(
  { nearest }: ReadProfile,
  collections: Readonly<Record<string, Collection>>,
): ProfileValues {
  const all = Object.values(collections).map(({ name, properties }) => {
    const values = Object.values(properties).flatMap((property) => {
      const rows = nearest(name, property.name).filter(({ type }) => type === property.type);
      const last = rows.at(-1);
      if (last === undefined) return [];
      const value = property.cardinality === 'many' ? rows.map((row) => row.value) : last.value;
      return [[property.name, value] as const];
    });
    return [name, Object.fromEntries(values)] as const;
  });
  // Of the types that the collections say, as the file of `generate` does.
  return Object.fromEntries(all) as ProfileValues;
}

interface Setting {
  readonly scope: string;
  readonly subject: string;
  readonly values: unknown;
  readonly options: ProfileOptions | undefined;
}

async function setProfile(
  parts: EngineParts,
  { scope, subject, values, options }: Setting & { readonly options: ProfileOptions },
) {
  const { permission_profile: claim, signal, ...typed } = options;
  const call: CallOptions = {
    ...('permission_profile' in options && { permission_profile: claim as PermissionProfile }),
    ...(signal !== undefined && { signal }),
  };
  checkInput('profile_options', typed);
  const wanted = checkProfile(values, parts.manifests.collections);
  const read = await readProfile(parts, { scope, subject }, call);
  const making = { read, subject, options: typed };
  const operations = wanted.flatMap(({ values: given, ...each }) =>
    given === null ? takenOut(each, read) : changed({ ...each, values: given }, making, parts),
  );
  if (operations.length === 0) return { receipts: [], counts: countsOf([]), position: [] };
  const profile = await parts.profileOf(call);
  const write = { operations, profile, now: parts.now(), ...signalOf(call) };
  return writeOperations(write, parts);
}

type Named = Omit<WantedValue, 'values'>;

interface Making {
  readonly read: ReadProfile;
  readonly subject: string;
  readonly options: Omit<ProfileOptions, keyof CallOptions>;
}

/** Nothing where it stands so already, here or in an outer scope. */
function changed(
  { collection, property, values }: Named & { readonly values: readonly unknown[] },
  { read, subject, options }: Making,
  { manifests: { collections }, newId }: EngineParts,
): readonly Operation[] {
  const { scope, at: now } = read;
  const isIn = (rows: readonly TypedRow[], value: unknown): boolean =>
    rows.some((row) => row.type === property.type && isSameJson(row.value, value));
  const nearest = read.nearest(collection, property.name);
  const isSet = nearest.length === values.length && values.every((each) => isIn(nearest, each));
  if (isSet) return [];
  const own = read.own(collection, property.name);
  const added = values.flatMap((value) => {
    if (isIn(own, value)) return [];
    const typed = { subject, collection, property: property.name, value, options };
    return [typedOperation(typed, { scope, now, newId, collections, correctedRoot: null })];
  });
  // A new value of `cardinality: one` takes the place of the one before by itself.
  if (property.cardinality === 'one') return added;
  const gone = own.filter((row) => !values.some((value) => isSameJson(row.value, value)));
  return [...gone.map((row) => ended(row, read)), ...added];
}

function takenOut({ collection, property }: Named, read: ReadProfile): readonly Operation[] {
  const own = read.own(collection, property.name);
  const [outer] = read.nearest(collection, property.name);
  if (own.length === 0 && outer)
    throw new ContextEngineError('WRITE.INVALID', {
      message: `\`${property.name}\` of \`${collection}\` stands in scope \`${outer.scope_uuid}\`.`,
      fix: 'Take it out there, for all who read it, or set another value here.',
      where: { field: `values.${collection}.${property.name}` },
    });
  const roots = new Map(own.map((row) => [row.root_uuid, row]));
  return [...roots.values()].map((row) => ended(row, read));
}

const ended = ({ root_uuid }: TypedRow, { scope, at }: ReadProfile): Operation => ({
  operation: 'DELETE',
  table: 'memory_schema_typed',
  scope,
  root_uuid,
  cause: 'change',
  valid_from: at,
});
