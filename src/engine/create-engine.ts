/**
 * createContextEngine: the only place where the parts are joined, and the owner of their lifetimes.
 */
import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { OpenedAuthority } from '../../connectors/index.ts';
import { openAuthority } from '../../connectors/index.ts';
import { checkTimeZone } from '../capture/times/time-zone.ts';
import { ContextEngineError } from '../codes/errors.ts';
import type { ComposeDependencies } from '../compose/compose.ts';
import { createComposeCache } from '../compose/compose-cache.ts';
import { createReceiptQueue } from '../compose/receipt-queue.ts';
import { createServedMarks } from '../compose/served-marks.ts';
import type { Authority } from '../cxri/authority.ts';
import { guardAuthority } from '../cxri/guard/authority.ts';
import { createEmbedder } from '../inference/create-embedder.ts';
import { createModel } from '../inference/create-model.ts';
import type { Embedder } from '../inference/embedder.ts';
import { type LoadManifestsOptions, loadManifests } from '../manifest/load.ts';
import {
  assertOverridesTaken,
  type Override,
  parseOverrides,
  toOverrides,
} from '../manifest/overrides.ts';
import type { ComposeRequest, Composition } from '../model/composition.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseTenant, parseUuid } from '../model/ids.ts';
import type { ManifestSet } from '../model/manifest.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { deepFreeze, plainCopy } from '../model/plain-copy.ts';
import { createPermissionDoor } from '../permission/door.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import { resolveSettings } from '../settings/settings.ts';
import { outagePath } from '../telemetry/outage.ts';
import { createOutageMarker } from '../telemetry/outage-marker.ts';
import { bindEngine } from './bound-engine.ts';
import { createCaptureWorker } from './capture-worker.ts';
import { checkCallOptions, checkEngineOptions } from './check-options.ts';
import { claimJudge } from './claim-judge.ts';
import { compose } from './compose-when-asked.ts';
import type {
  CallOptions,
  ComposeBlockContext,
  ContextEngine,
  DatabaseOptions,
  EngineOptions,
} from './context-engine.ts';
import { withEnvironmentKey } from './embedder-key.ts';
import type { EngineParts } from './engine-parts.ts';
import { type KeptVectors, keepVectors } from './kept-vectors.ts';
import { withKeyedReceipts } from './keyed-receipts.ts';
import { LOCAL_PROFILE } from './local-profile.ts';
import { createApprovals } from './methods/approval-methods.ts';
import { createAuditing } from './methods/audit-methods.ts';
import { createCapturing } from './methods/capture-methods.ts';
import { createForgetting } from './methods/forget-methods.ts';
import { createIngest } from './methods/ingest-method.ts';
import { createReading } from './methods/look-back-methods.ts';
import {
  createFeeding,
  createMounting,
  openMounts,
  searchedMounts,
} from './methods/mount-methods.ts';
import { createPreview } from './methods/preview-method.ts';
import { createPrincipals } from './methods/principal-methods.ts';
import { createUpkeep } from './methods/upkeep-methods.ts';
import { createWriting } from './methods/write-methods.ts';
import { withWake } from './mount-feeder.ts';
import { assertUnbundled, packageFile } from './package-file.ts';
import { createReaders, type Readers } from './readers-socket.ts';
import { withSharedVectors } from './shared-vectors.ts';
import { VERSION } from './version.ts';

const stopwatch = (): number => performance.now();

/** Opens database and manifests, and joins the parts; nothing stays open on a failure. */
export async function createContextEngine(options: EngineOptions): Promise<ContextEngine> {
  assertUnbundled();
  checkEngineOptions(options);
  const clock = options.clock ?? Date.now;
  const newId = (): Uuid => parseUuid((options.newId ?? randomUUID)(), 'newId');
  const settings = settingsUnder(options);
  const database = options.database ?? settings.database;
  const overrides = [
    ...parseOverrides(process.env['CONTEXTENGINE_OVERRIDES'] ?? ''),
    ...toOverrides(plainCopy(options.overrides ?? {})),
  ];
  const mounts = options.mounts ?? settings.mounts;
  const manifests = deepFreeze(
    checkedManifests(options.manifests ?? settings.manifests, {
      overrides,
      mounts: Object.keys(mounts),
    }),
  );
  const choice = withEnvironmentKey(options.embedder ?? settings.embedder, process.env);
  const embedder = createEmbedder(choice, stopwatch);
  const extracting = {
    model: createModel(plainCopy(options.extractor ?? settings.extractor), process.env),
    timeZone: checkTimeZone(options.timeZone ?? settings.timeZone),
  };
  const opened = await openAuthority(database);
  try {
    if (embedder) await opened.authority.ensureSpace(embedder.space);
    const kept = await keepVectors(embedder, database, () =>
      opened.authority.digestKey(parseTenant(LOCAL_PROFILE.tenant)),
    );
    const keptVectors = await withSharedVectors(kept, embedder, {
      choice: options.embeddingCache ?? settings.embeddingCache,
      authority: guardAuthority(opened.authority),
      now: () => parseInstant(clock(), 'clock'),
    });
    const readers = createReaders(database, {
      version: VERSION,
      key: `${randomUUID()}${randomUUID()}`,
    });
    const engine = assemble({
      options,
      readers,
      opened,
      manifests,
      mounts,
      overrides,
      embedder,
      extracting,
      keptVectors,
      clock,
      newId,
      database,
    });
    await readers.listen(engine);
    return engine;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface Parts {
  readonly options: EngineOptions;
  readonly opened: OpenedAuthority;
  readonly manifests: ManifestSet;
  readonly mounts: NonNullable<EngineOptions['mounts']>;
  readonly overrides: readonly Override[];
  readonly embedder: Embedder | null;
  readonly extracting: Pick<EngineParts, 'model' | 'timeZone'>;
  readonly keptVectors: KeptVectors;
  readonly clock: () => number;
  readonly newId: () => Uuid;
  readonly database: DatabaseOptions;
  readonly readers: Readers;
}

function assemble(parts: Parts): ContextEngine {
  const { options, opened, manifests, embedder, newId } = parts;
  /** Every path goes through the guard: it checks what goes in and what comes out. */
  const authority = withWake(guardAuthority(opened.authority), (tenant) => feeder.wake(tenant));
  let closing: Promise<void> | null = null;
  const receiptQueue = createReceiptQueue(withKeyedReceipts(authority));
  const now = () => parseInstant(parts.clock(), 'clock');
  const judgeClaim = claimJudge(options.authority);
  const writer = `contextengine/${VERSION}`;
  const ownProfile = plainCopy(
    options.permission_profile ?? (isEmbedded(parts.database) ? LOCAL_PROFILE : undefined),
  );
  const permission = createPermissionDoor({
    authority,
    manifests: manifests.manifests,
    digestOf: sha256,
    now,
    newId,
    owner: isEmbedded(parts.database) ? LOCAL_PROFILE.principal : null,
  });
  const shared = {
    authority,
    isServer: !isEmbedded(parts.database),
    permission,
    manifests,
    embedder,
    ...parts.extracting,
    digestOf: sha256,
    outage: outageMarkerOf(parts, now),
    now,
    newId,
    profileOf: profilesOf(ownProfile, judgeClaim),
    writer,
    settled: () => receiptQueue.drain(),
  };
  const mounted = openMounts(parts.mounts, { embedder, cwd: process.cwd() });
  const feeder = createFeeding({ ...shared, mounted });
  const composing: ComposeDependencies = {
    ...shared,
    mounts: searchedMounts(mounted, feeder),
    guarded: authority,
    ...createMemories(authority),
    receiptQueue,
    judgeClaim,
    stopwatch,
    settings: parts.overrides.length === 0 ? VERSION : JSON.stringify([VERSION, parts.overrides]),
  };
  const worker = createCaptureWorker(shared);
  const open = openUntil(() => closing !== null);
  const close = (): Promise<void> =>
    (closing ??= closeAll(parts, [feeder, worker], receiptQueue).finally(mounted.close));
  const engine: Omit<ContextEngine, 'as'> = {
    manifests,
    composeBlockContext: asTyped(open((request) => compose(request, composing))),
    ...createWriting({ ...shared, open, worker }),
    ...createCapturing({ ...shared, open, worker }),
    ...createReading({ ...shared, open, receiptQueue }),
    ...createApprovals({ ...parts, ...shared, open }),
    ...createPrincipals({ ...shared, open }),
    ...createForgetting({ ...parts, ...shared, open }),
    ...createAuditing({ ...shared, open }),
    ...createPreview({ ...shared, open, composing }),
    ...createIngest(() => engine, { now }),
    ...createMounting({ ...shared, open, mounted }),
    ...createUpkeep({ ...shared, open, mounted }),
    close,
    [Symbol.asyncDispose]: close,
  };
  return { ...engine, as: (profile) => bindEngine(engine, profile) };
}

/** What compositions remember of each other in this process. */
const createMemories = (authority: Authority): Pick<ComposeDependencies, 'cache' | 'served'> => {
  const served = createServedMarks(authority);
  return { served, cache: createComposeCache(authority, served) };
};

const outageMarkerOf = ({ database }: Pick<Parts, 'database'>, now: () => Instant) =>
  createOutageMarker({
    path: outagePath(database, stateDir()),
    owner: `contextengine/${VERSION}, process ${process.pid}`,
    now,
    stopwatch,
  });

const profilesOf =
  (
    ownProfile: PermissionProfile | undefined,
    judgeClaim: (claim: PermissionProfile) => Promise<PermissionProfile>,
  ) =>
  async (call: CallOptions | undefined): Promise<PermissionProfile> => {
    checkCallOptions(call);
    // Only a call without the field acts as the engine's own: `undefined` is a claim that is
    // missing.
    const isClaimed = call !== undefined && 'permission_profile' in call;
    const claim = isClaimed ? call.permission_profile : ownProfile;
    return judgeClaim(parseProfile(claim));
  };

/**
 * The database last: what the others still have to write goes to it, or is under the lock of its
 * folder. One that cannot be closed keeps none of those after it open.
 */
async function closeAll(
  { keptVectors, embedder, opened, readers }: Parts,
  workers: readonly { stop(): Promise<void> }[],
  receiptQueue: { close(): Promise<void> },
): Promise<void> {
  const steps: readonly (() => Promise<unknown> | undefined)[] = [
    () => readers.close(),
    ...workers.map((worker) => () => worker.stop()),
    () => receiptQueue.close(),
    () => keptVectors.save(),
    () => embedder?.close(),
    () => opened.close(),
  ];
  const failures: unknown[] = [];
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** Every method goes through it: refused after close, and given copies of its arguments. */
const openUntil =
  (isClosed: () => boolean): EngineParts['open'] =>
  (body) =>
  async (...args) => {
    if (!isClosed()) return body(...plainCopy(args));
    throw new ContextEngineError('CONNECTOR.CLOSED', {
      message: 'The engine was closed.',
      fix: 'Create a new one with `createContextEngine`.',
    });
  };

/**
 * What the types say of layers is what the manifest says, by the file that was generated of it: no
 * code can show it to the compiler.
 */
const asTyped = (untyped: (request: ComposeRequest) => Promise<Composition>): ComposeBlockContext =>
  untyped as ComposeBlockContext;

/** A server is shared: whoever reaches it is not thereby everybody in it. */
const isEmbedded = (database: DatabaseOptions): boolean =>
  'dataDir' in database || 'inMemory' in database;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Defaults {
  readonly database: DatabaseOptions;
  readonly manifests: readonly string[];
  readonly embedder: NonNullable<EngineOptions['embedder']>;
  readonly extractor: NonNullable<EngineOptions['extractor']>;
  readonly timeZone: string;
  readonly mounts: NonNullable<EngineOptions['mounts']>;
  readonly embeddingCache: NonNullable<EngineOptions['embeddingCache']>;
}

/**
 * What code leaves open, as the command line resolves it. Of options that say all, nothing is read.
 */
function settingsUnder({ database, manifests, embedder }: EngineOptions): Defaults {
  if (database !== undefined && manifests !== undefined && embedder !== undefined)
    return {
      ...{ database, manifests: [], embedder, mounts: {} },
      ...{ extractor: 'rules', timeZone: 'UTC', embeddingCache: 'database' },
    };
  const packageManifests = packageFile('manifests');
  const place = { env: process.env, cwd: process.cwd(), packageManifests };
  const settings = resolveSettings({}, place);
  return {
    database: settings.database.value,
    manifests: settings.manifests.value,
    embedder: settings.embedder.value,
    extractor: settings.extractor.value,
    timeZone: settings.timeZone.value,
    mounts: settings.mounts.value,
    embeddingCache: settings.embeddingCache.value,
  };
}

const stateDir = (): string =>
  path.resolve(process.env['CONTEXTENGINE_DATA_DIR'] || '.contextengine');

/** A process with a broken manifest does not start: every finding is in `meta.findings`. */
function checkedManifests(
  given: string | readonly string[],
  { overrides, mounts }: Pick<LoadManifestsOptions, 'mounts'> & Pick<Parts, 'overrides'>,
): ManifestSet {
  const paths = typeof given === 'string' ? [given] : given;
  const set = loadManifests({ paths, overrides, ...(mounts && { mounts }) });
  const errors = set.findings.filter((finding) => finding.severity === 'error');
  const [first] = errors;
  if (!first) {
    assertOverridesTaken(overrides, set.manifests);
    return set;
  }
  throw new ContextEngineError('MANIFEST.INVALID', {
    message:
      `${errors.length === 1 ? 'A manifest has an error' : `The manifests have ${errors.length} errors; the first`}: ` +
      `${first.code}: ${first.message}`,
    fix:
      errors.length === 1
        ? first.fix
        : `${first.fix} \`contextengine validate\` lists all of them.`,
    where: { file: first.file, line: first.line, column: first.column },
    meta: { findings: errors },
  });
}
