/** `engine.as(profile)`: the same methods, each on behalf of one profile. */
import { ContextEngineError } from '../codes/errors.ts';
import type { ComposeRequest } from '../model/composition.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { plainCopy } from '../model/plain-copy.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import { optionsOf } from './check-options.ts';
import type { BoundEngine, CallOptions, ContextEngine } from './context-engine.ts';

/** What is of no profile, and what is bound by a line of its own. */
type WrittenOut =
  | 'manifests'
  | 'health'
  | 'composeBlockContext'
  | 'exportScope'
  | 'ingest'
  | 'profile';
/**
 * At which argument each method takes its {@link CallOptions}: one that is forgotten is an error.
 */
type Places<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never) => unknown ? number : Places<T[K]>;
};
const OPTIONS_AT: Places<Omit<BoundEngine, WrittenOut>> = {
  scopes: { create: 1, getOrCreate: 1, find: 1, list: 0 },
  append: 2,
  remember: 2,
  setTyped: 5,
  correct: 2,
  undo: 1,
  summarize: 2,
  link: 2,
  unlink: 2,
  write: 1,
  keyedDigests: 0,
  documents: 1,
  recordOutcome: 1,
  explain: 1,
  replay: 1,
  preview: 1,
  history: 1,
  importScope: 1,
  approvals: { list: 1, show: 1, message: 1, approve: 2, reject: 1 },
  principals: { list: 0, set: 1, disable: 1, enable: 1, addKey: 2, revokeKey: 2 },
  audit: { list: 1, verify: 1 },
  forget: 1,
  erasure: { list: 1, erase: 1, bringBack: 1, certificate: 1, check: 1, verify: 1, compact: 0 },
  capture: 2,
  captures: { list: 1, progress: 1 },
  core: { show: 1, edit: 2, add: 2, drop: 2 },
  costs: { list: 1, embeddings: 1, prices: 0 },
  facts: { list: 1, get: 1, search: 2, history: 1, update: 2 },
  jobs: { list: 1, run: 0 },
  mounts: { feed: 1, rebuild: 1, health: 0 },
  upkeep: 1,
  embedPending: 0,
};

/**
 * Throws for a profile that no call would take. What the caller changes in it later changes
 * nothing.
 */
export function bindEngine(
  engine: Omit<ContextEngine, 'as'>,
  claim: PermissionProfile,
): BoundEngine {
  const profile = Object.freeze(plainCopy(claim));
  parseProfile(profile);
  // one member for each name of OPTIONS_AT
  const bound = bindMembers(engine, OPTIONS_AT, profile) as Omit<BoundEngine, WrittenOut>;
  const compose = engine.composeBlockContext as (request: ComposeRequest) => unknown;
  return {
    ...bound,
    manifests: engine.manifests,
    health: engine.health,
    exportScope: (scope, options) => engine.exportScope(scope, withProfile(options, profile)),
    profile: (scope, subject) => {
      const { get, set } = engine.profile(scope, subject);
      return {
        get: async (options) => get(withProfile(options, profile)),
        set: async (values, options) => set(values, withProfile(options, profile)),
      };
    },
    ingest: async (scope, source, options) => {
      // A function is passed by reference; all else is copied.
      const { onProgress, ...rest } = optionsOf(options);
      const call = withProfile(options === undefined ? undefined : rest, profile);
      return engine.ingest(
        scope,
        source,
        onProgress === undefined ? call : { ...call, onProgress },
      );
    },
    composeBlockContext: (async (request: ComposeRequest) =>
      compose(withProfile(request, profile))) as BoundEngine['composeBlockContext'],
  };
}

type Members = Readonly<Record<string, unknown>>;
interface PlacesByName {
  readonly [name: string]: number | PlacesByName;
}

function bindMembers(owner: object, places: PlacesByName, profile: PermissionProfile): Members {
  const members = owner as Members;
  return Object.fromEntries(
    Object.entries(places).map(([name, at]) => [
      name,
      typeof at === 'number'
        ? bindMethod(members[name] as Method, at, profile)
        : bindMembers(members[name] as object, at, profile),
    ]),
  );
}

type Method = (...args: readonly unknown[]) => unknown;

const bindMethod =
  (method: Method, at: number, profile: PermissionProfile): Method =>
  async (...args) => {
    const before = Array.from({ length: at }, (_, index) => args[index]);
    return method(...before, withProfile(args[at], profile));
  };

/**
 * Another profile in a bound call is a mistake of the caller, whichever of the two was meant. What
 * is no map of options is refused here: a method that read it as none would use the engine's own
 * profile.
 */
function withProfile<T>(given: T, profile: PermissionProfile): T & CallOptions {
  const options: object = optionsOf(plainCopy(given) as object | undefined);
  if ('permission_profile' in options)
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`permission_profile\` is given to an engine that is bound to \`${profile.principal}\`.`,
      fix: 'Leave it out, or call the engine itself.',
      where: { field: 'permission_profile' },
    });
  return { ...(options as T), permission_profile: profile };
}
