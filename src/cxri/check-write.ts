/**
 * Operations, checked before a connector sees them: nothing of a batch with a malformed one is
 * written.
 */
import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';
import { TABLES } from '../model/block.ts';
import { isBeyondSkew } from '../model/clock.ts';
import { MAX_BYTES, MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import { type Instant, shown } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import { isStorable } from '../model/storable.ts';
import { checkTenant } from './check-query.ts';
import { CONTENT } from './content-shape.ts';
import type { WriteRequest } from './contract.ts';
import { isInstant, isPlainObject, isUuid } from './refuse.ts';

const COMMON = ['operation', 'scope', 'idempotency_key', 'is_time_defaulted', 'reason'];
const VERSION = ['table', 'uuid', 'content', 'valid_from', 'valid_until', 'sources'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ADD: [...COMMON, ...VERSION],
  UPDATE: [...COMMON, ...VERSION, 'root_uuid', 'cause', 'expected_version'],
  DELETE: [...COMMON, 'table', 'root_uuid', 'cause', 'valid_from', 'expected_version'],
  NOOP: COMMON,
};
const CAUSES: Readonly<Record<string, readonly unknown[]>> = {
  UPDATE: ['change', 'correction', 'merge'],
  DELETE: ['change', 'correction', 'prune'],
};

type Fields = Readonly<Record<string, unknown>>;
type Refuse = (field: string, fix: string, code?: ErrorCode) => ContextEngineError;

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE` with the index of the operation. */
export function checkWrite(request: WriteRequest): void {
  checkTenant(request.tenant);
  checkOperations(request.operations);
  if (!isInstant(request.recorded_at))
    throw new ContextEngineError('WRITE.INVALID', {
      message: `\`recorded_at\` is \`${shown(request.recorded_at)}\`.`,
      fix: 'Pass a time in UTC with milliseconds.',
      where: { field: 'recorded_at' },
    });
  checkDecisions(request);
  if (request.seed !== undefined && !isUuid(request.seed))
    throw new ContextEngineError('WRITE.INVALID', {
      message: `\`seed\` is \`${shown(request.seed)}\`.`,
      fix: 'Pass a random UUID, or leave it out.',
      where: { field: 'seed' },
    });
  for (const [index, operation] of request.operations.entries())
    checkOccurrence(operation, index, request.recorded_at);
}

/** A journal that names the wrong decision is worse than none. */
function checkDecisions({ decisions, operations }: WriteRequest): void {
  if (decisions === undefined) return;
  const isDecision = (given: unknown): boolean => {
    const { decision, manifest_digest: digest }: Fields = isPlainObject(given) ? given : {};
    return (
      isName(decision, MAX_CHARS.decision) &&
      (digest === null || isName(digest, MAX_CHARS.manifest_digest))
    );
  };
  if (
    Array.isArray(decisions) &&
    decisions.length === operations.length &&
    decisions.every(isDecision)
  )
    return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: `\`decisions\` is \`${shown(decisions)}\` for \`${operations.length}\` operations.`,
    fix: 'Give each operation its decision and the digest of its manifest, or leave `decisions` out.',
    where: { field: 'decisions' },
  });
}

const isName = (value: unknown, maxChars: number): boolean =>
  typeof value === 'string' && value !== '' && value.length <= maxChars && isStorable(value);

/**
 * A turn did not occur after it was written: dated ahead, it would be the latest turn of its scope
 * for ever and push every other out of the history. A turn that is planned begins when it occurs.
 */
function checkOccurrence(operation: Operation, index: number, recordedAt: Instant): void {
  if (operation.operation !== 'ADD' && operation.operation !== 'UPDATE') return;
  if (operation.table !== 'blocks') return;
  const { block_type: type, role, occurred_at: occurredAt } = operation.content;
  const latest = operation.valid_from > recordedAt ? operation.valid_from : recordedAt;
  if ((type !== 'turn' && role === null) || !isBeyondSkew(latest, occurredAt)) return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: `\`occurred_at\` \`${occurredAt}\` of operation ${index} is after \`${latest}\`.`,
    fix: 'Pass when it was said, at most an hour ahead of the clock; or begin what is planned with `valid_from`.',
    where: { field: 'content.occurred_at', index },
  });
}

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE` with the index of the operation. */
export function checkOperations(operations: WriteRequest['operations']): void {
  if (
    !Array.isArray(operations) ||
    operations.length === 0 ||
    operations.length > MAX_COUNT.operations
  ) {
    throw new ContextEngineError('WRITE.INVALID', {
      message: Array.isArray(operations)
        ? `The batch has \`${operations.length}\` operations.`
        : `\`operations\` is \`${shown(operations)}\`.`,
      fix: `Write 1 to ${MAX_COUNT.operations} operations at a time.`,
      where: { field: 'operations' },
    });
  }
  operations.forEach(checkOperation);
}

function checkOperation(given: unknown, index: number): void {
  const operation: Fields = isPlainObject(given) ? given : {};
  const refuse: Refuse = (field, fix, code = 'WRITE.INVALID') => {
    const value = field
      .split('.')
      .reduce<unknown>(
        (member, key) => (isPlainObject(member) ? member[key] : undefined),
        operation,
      );
    return new ContextEngineError(code, {
      message: `\`${field}\` of operation ${index} is \`${shown(value)}\`.`,
      fix,
      where: { field, index },
    });
  };
  const kind = typeof operation['operation'] === 'string' ? operation['operation'] : '';
  const allowed = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (!allowed) throw refuse('operation', 'Use `ADD`, `UPDATE`, `DELETE` or `NOOP`.');
  const unknown = Object.keys(operation).find((field) => !allowed.includes(field));
  if (unknown !== undefined)
    throw refuse(unknown, `An \`${kind}\` has the fields ${allowed.join(', ')}.`);
  checkCommon(operation, refuse);
  if (kind === 'NOOP') return;
  if (!TABLES.some((table) => table === operation['table']))
    throw refuse('table', `Use ${TABLES.join(', ')}.`);
  if (!isInstant(operation['valid_from']))
    throw refuse('valid_from', 'Pass a time in UTC with milliseconds.');
  if (kind !== 'ADD') checkTarget(operation, kind, refuse);
  if (kind !== 'DELETE') checkVersion(operation, refuse);
}

function checkCommon(operation: Fields, refuse: Refuse): void {
  const { scope, idempotency_key: key, reason } = operation;
  if (!isUuid(scope)) throw refuse('scope', 'Pass the UUID of the scope, in lower case.');
  const isKey =
    typeof key === 'string' &&
    key !== '' &&
    isStorable(key) &&
    Buffer.byteLength(key) <= MAX_BYTES.idempotency_key;
  if (key !== undefined && !isKey)
    throw refuse('idempotency_key', `Pass 1 to ${MAX_BYTES.idempotency_key} bytes of text.`);
  const isDefaulted = operation['is_time_defaulted'];
  if (isDefaulted !== undefined && isDefaulted !== true)
    throw refuse('is_time_defaulted', 'Pass `true`, or leave it out.');
  const isReason =
    typeof reason === 'string' && isStorable(reason) && reason.length <= MAX_CHARS.reason;
  if (
    operation['operation'] === 'NOOP'
      ? !isReason || reason === ''
      : reason !== undefined && !isReason
  )
    throw refuse('reason', `Say why, in at most ${MAX_CHARS.reason} characters.`);
}

function checkTarget(operation: Fields, kind: string, refuse: Refuse): void {
  if (!isUuid(operation['root_uuid']))
    throw refuse('root_uuid', 'Pass the root of what is to change, in lower case.');
  if (!CAUSES[kind]?.includes(operation['cause']))
    throw refuse('cause', `Use ${CAUSES[kind]?.join(', ')}.`);
  if (operation['expected_version'] !== undefined && !isUuid(operation['expected_version']))
    throw refuse('expected_version', 'Pass the version that was read, in lower case.');
}

function checkVersion(operation: Fields, refuse: Refuse): void {
  const { uuid, valid_from: from, valid_until: until, sources } = operation;
  if (!isUuid(uuid)) throw refuse('uuid', 'Pass a fresh UUID for the version, in lower case.');
  if (until !== undefined && (!isInstant(until) || String(until) <= String(from)))
    throw refuse('valid_until', 'Pass a time after `valid_from`, in UTC with milliseconds.');
  const areSources =
    Array.isArray(sources) &&
    sources.length <= MAX_COUNT.sources &&
    sources.every(isUuid) &&
    new Set(sources).size === sources.length;
  if (sources !== undefined && !areSources)
    throw refuse('sources', `Name at most ${MAX_COUNT.sources} versions, each once.`);
  checkContent(operation, refuse);
}

function checkContent(operation: Fields, refuse: Refuse): void {
  const content = operation['content'];
  const table = TABLES.find((known) => known === operation['table']);
  if (!isPlainObject(content) || table === undefined)
    throw refuse('content', 'Pass an object with the columns of the table.');
  const shape = CONTENT[table];
  const unknown = Object.keys(content).find((field) => !Object.hasOwn(shape, field));
  if (unknown !== undefined)
    throw refuse(
      `content.${unknown}`,
      `The content of \`${table}\` has ${Object.keys(shape).join(', ')}.`,
    );
  for (const [field, check] of Object.entries(shape)) {
    if (!check(content[field]))
      throw refuse(
        `content.${field}`,
        `Pass a \`${field}\` that \`${table}\` can hold: of its type, within its limits, without NUL or half a surrogate pair.`,
      );
  }
  const { from_uuid: from, to_uuid: to, link_type: type } = content;
  if (type === 'inherits' && from === to)
    throw refuse('content.to_uuid', 'Let a scope inherit from other scopes.', 'SCOPE.CYCLE');
  const body = content['content'];
  if (typeof body === 'string' && Buffer.byteLength(body) > MAX_BYTES.content)
    throw refuse(
      'content.content',
      `Split it: at most ${MAX_BYTES.content} bytes of UTF-8 are stored as one content.`,
      'WRITE.TOO_LARGE',
    );
}
