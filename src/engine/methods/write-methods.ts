/**
 * The engine's write methods: each turns its input into operations and sends them down the one
 * write path.
 */

import { ContextEngineError } from '../../codes/errors.ts';
import { checkBatchSize } from '../../cxri/check-write.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import { parseUuid } from '../../model/ids.ts';
import type { Operation, WriteResult } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import { Uncopied } from '../../model/plain-copy.ts';
import type { FactInput, TurnInput, TypedOptions } from '../../model/write-input.ts';
import type { WriteCall } from '../../write/1-check.ts';
import { instantOr } from '../../write/check-content.ts';
import { embedPending, rebuildWords } from '../../write/embed-rows.ts';
import { recordOutcome } from '../../write/outcome.ts';
import type { Making, TypedInput } from '../../write/to-operations.ts';
import {
  factOperation,
  linkOperation,
  summaryOperation,
  turnOperation,
  typedOperation,
  unlinkOperation,
} from '../../write/to-operations.ts';
import { writeOperations } from '../../write/write.ts';
import type { CaptureWorker } from '../capture-worker.ts';
import { checkCollectionName } from '../check-collection-name.ts';
import { optionsOf } from '../check-options.ts';
import type { CallOptions, ContextEngine } from '../context-engine.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { findScope, getOrCreateScope } from '../keyed-scope.ts';
import { readTyped } from '../read-typed.ts';
import { correct } from './correct-method.ts';
import { createScope, listScopes } from './scope-methods.ts';
import { undo } from './undo-method.ts';

type Writing = Pick<
  ContextEngine,
  | 'append'
  | 'remember'
  | 'setTyped'
  | 'correct'
  | 'undo'
  | 'summarize'
  | 'link'
  | 'unlink'
  | 'write'
  | 'recordOutcome'
  | 'importScope'
  | 'embedPending'
> & { readonly scopes: ContextEngine['scopes'] };

interface WritingParts extends EngineParts {
  readonly worker: Pick<CaptureWorker, 'appended'>;
}

export function createWriting(parts: WritingParts): Writing {
  const writing = watchedWrites(parts);
  return {
    ...inputMethods(parts, writing),
    ...recordMethods(parts, writing),
    write: writing((operations, options) => send(parts, operations, options), hasReceipts),
  };
}

type WatchedWrites = <A extends readonly unknown[], R>(
  body: (...args: A) => Promise<R>,
  hasWritten: (result: R) => boolean,
) => (...args: A) => Promise<R>;

/**
 * A write that fails for no fault of its caller leaves the outage marker; one that reached the
 * store clears it.
 */
const watchedWrites =
  ({ open, outage }: EngineParts): WatchedWrites =>
  (body, hasWritten) =>
  (...args) =>
    open((...copied: typeof args) => outage.watch(() => body(...copied), hasWritten))(...args);

/** The one write path under all methods. */
async function send(
  parts: EngineParts,
  operations: readonly Operation[],
  options: CallOptions | undefined,
): Promise<WriteResult> {
  return sendWritten(parts, { operations }, options);
}

/**
 * `textField`: what the caller calls the text, where the engine made the operations of an input.
 */
async function sendWritten(
  parts: EngineParts,
  written: Pick<WriteCall, 'operations' | 'textField'>,
  options: CallOptions | undefined,
): Promise<WriteResult> {
  const profile = await parts.profileOf(options);
  return writeOperations({ ...written, profile, now: parts.now(), ...signalOf(options) }, parts);
}

const makingOf = ({ now, newId }: EngineParts, scope: string): Making => ({
  scope: parseUuid(scope, 'scope'),
  now: now(),
  newId,
});

type InputMethod =
  | 'scopes'
  | 'append'
  | 'remember'
  | 'setTyped'
  | 'correct'
  | 'undo'
  | 'summarize'
  | 'link'
  | 'unlink';

/** Methods that turn an input into operations. */
function inputMethods(parts: WritingParts, writing: WatchedWrites): Pick<Writing, InputMethod> {
  return {
    scopes: {
      create: writing(
        (input, options) => createScope(parts, input, options),
        ({ result }) => hasReceipts(result),
      ),
      getOrCreate: writing(
        (input, options) => getOrCreateScope(parts, input, options),
        ({ result }) => result !== null && hasReceipts(result),
      ),
      find: parts.open((key, options) => findScope(parts, key, options)),
      list: parts.open((options) => listScopes(parts, options)),
    },
    append: writing(async (scope, turns, options) => {
      const making = makingOf(parts, scope);
      const operations = batchOf<TurnInput>(turns).map((turn) => turnOperation(turn, making));
      const result = await sendWritten(parts, { operations, textField: 'content' }, options);
      // The append stands, whatever becomes of this: a scope behind its head is found later.
      await askForCapture(parts, making.scope, { options, result }).catch(() => undefined);
      return result;
    }, hasReceipts),
    remember: writing(async (scope, facts, options) => {
      const making = makingOf(parts, scope);
      const operations = batchOf<FactInput>(facts).map((fact) => factOperation(fact, making));
      return send(parts, operations, options);
    }, hasReceipts),
    setTyped: writing(async (scope, subject, collection, property, value, options) => {
      const typed = { subject, collection, property, value, options: optionsOf(options) };
      return setTyped({ ...typed, making: makingOf(parts, scope) }, parts);
    }, hasReceipts),
    correct: writing(
      async (root, correction, options) => correct(parts, { root, correction }, options),
      hasReceipts,
    ),
    undo: writing(async (operation, options) => undo(parts, operation, options), hasReceipts),
    summarize: writing(
      async (scope, summary, options) =>
        send(parts, [summaryOperation(summary, makingOf(parts, scope))], options),
      hasReceipts,
    ),
    link: writing(
      async (scope, link, options) =>
        send(parts, [linkOperation(link, makingOf(parts, scope))], options),
      hasReceipts,
    ),
    unlink: writing(
      async (scope, linkRoot, options) =>
        send(parts, [unlinkOperation(linkRoot, makingOf(parts, scope))], options),
      hasReceipts,
    ),
  };
}

/** Asks for a capture of what was appended. */
const askForCapture = async (
  { worker, profileOf }: WritingParts,
  scope: Uuid,
  { options, result }: { readonly options: CallOptions | undefined; readonly result: WriteResult },
): Promise<void> => worker.appended(scope, await profileOf(options), result);

type RecordMethod = 'recordOutcome' | 'importScope' | 'embedPending';

/** Methods that write what is not an operation of the caller. */
function recordMethods(parts: EngineParts, writing: WatchedWrites): Pick<Writing, RecordMethod> {
  const { authority, embedder, now, permission } = parts;
  const importing = writing(
    async (
      { value: lines }: Uncopied<AsyncIterable<unknown>>,
      options: CallOptions | undefined,
    ) => {
      const judged = (): Promise<Grant> => grantOf(parts, options, 'import');
      const { writer, digestOf } = parts;
      const { importScope } = await import('../../look-back/import-scope.ts');
      return importScope(lines, { authority, permission, judged, now: now(), writer, digestOf });
    },
    () => true,
  );
  return {
    recordOutcome: writing(
      async (outcome, options) => {
        await parts.settled();
        const grant = await grantOf(parts, options, 'outcome');
        return recordOutcome(outcome, { authority, permission, grant, now: now() });
      },
      ({ recorded }) => recorded > 0,
    ),
    // The lines are read once, as they come; each is checked and copied by the import.
    importScope: (lines, options) => importing(new Uncopied(lines), options),
    embedPending: parts.open(async (options) => {
      const grant = await grantOf(parts, options, 'embed');
      await assertWholeTenant(grant, parts);
      await rebuildWords(grant.tenant, { authority, ...signalOf(options) });
      if (!embedder) return { embedded: 0, pending: 0 };
      return embedPending(grant.tenant, { authority, embedder, ...signalOf(options) });
    }),
  };
}

const hasReceipts = ({ receipts }: WriteResult): boolean => receipts.length > 0;

async function setTyped(
  input: Omit<TypedInput, 'options'> & {
    readonly making: Making;
    readonly options: TypedOptions & CallOptions;
  },
  parts: EngineParts,
): Promise<WriteResult> {
  const { making, subject, collection, property, value } = input;
  const { permission_profile, signal, ...options } = input.options;
  const call = {
    ...(permission_profile !== undefined && { permission_profile }),
    ...(signal !== undefined && { signal }),
  };
  const typed = { subject, collection, property, value, options };
  const { collections } = parts.manifests;
  await checkCollectionName({ collection, scope: making.scope, now: making.now }, parts, call);
  const added = typedOperation(typed, { ...making, collections, correctedRoot: null });
  if (options.correction !== true) return send(parts, [added], call);
  const at = instantOr(options.valid_from, 'valid_from', making.now);
  const correctedRoot = await currentRoot(
    { making, subject, collection, property, at, isNow: options.valid_from === undefined },
    parts,
    call,
  );
  return send(parts, [typedOperation(typed, { ...making, collections, correctedRoot })], call);
}

function batchOf<T>(value: T | readonly T[]): readonly T[] {
  const batch: readonly T[] = Array.isArray(value) ? value : [value as T];
  checkBatchSize(batch);
  return batch;
}

/** Vectors are made for all scopes at once, and their number counts all scopes. */
async function assertWholeTenant(grant: Grant, { permission }: EngineParts): Promise<void> {
  const tier = grant.scopes.all ? grant.tiers.writes : 'excluded';
  const entrance = { door: 'embed', field: 'permission_profile' };
  if (tier === 'excluded')
    await permission.deny(grant, { tier, key: 'writes', scope: null }, entrance);
}

interface TypedKey {
  readonly making: Making;
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly at: Instant;
  /** `at` is the clock's. */
  readonly isNow: boolean;
}

/** The root of the value that a correction is about. */
async function currentRoot(key: TypedKey, parts: EngineParts, call: CallOptions): Promise<Uuid> {
  const { making, at, isNow, subject, collection, property } = key;
  const fields = { subject, collection, property };
  const rows = await readTyped({ scope: making.scope, at, isNow, fields, limit: 2 }, parts, call);
  const [found, other] = rows;
  if (other)
    throw new ContextEngineError('WRITE.INVALID', {
      message:
        `\`${key.subject}\` has more than one \`${key.property}\` in \`${key.collection}\`: ` +
        '`correction` does not say which was wrong.',
      fix:
        'Name its root: `write` an UPDATE with `cause: "correction"` and the `root_uuid` of ' +
        'the wrong value.',
      where: { field: 'correction' },
    });
  if (found) return found.row.root_uuid;
  throw new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`${key.subject}\` has no \`${key.property}\` in \`${key.collection}\` to correct.`,
    fix: 'Leave `correction` out: there is no stored value yet.',
    where: { field: 'property' },
  });
}
