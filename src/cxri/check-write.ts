/**
 * Operations, checked before a connector sees them: nothing of a batch with a malformed one is
 * written.
 */
import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';
import { storedProblem } from '../inputs/check-input.ts';
import { STORED_SCHEMAS } from '../inputs/stored-schemas.ts';
import { TABLES, type Table } from '../model/block.ts';
import { isBeyondSkew } from '../model/clock.ts';
import { MAX_BYTES, MAX_COUNT } from '../model/content-limits.ts';
import { type Instant, isStoredInstant, isStoredUuid, shown } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import { checkTenant } from './check-request.ts';
import type { WriteRequest } from './contract.ts';
import { isPlainObject } from './refuse.ts';

const OPERATIONS = ['ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO'] as const;

type Fields = Readonly<Record<string, unknown>>;
type Refuse = (field: string, fix: string, code?: ErrorCode) => ContextEngineError;

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE` with the index of the operation. */
export function checkWrite(request: WriteRequest): void {
  checkTenant(request.tenant);
  checkOperations(request.operations);
  if (!isStoredInstant(request.recorded_at))
    throw new ContextEngineError('WRITE.INVALID', {
      message: `\`recorded_at\` is \`${shown(request.recorded_at)}\`.`,
      fix: 'Pass a time in UTC with milliseconds.',
      where: { field: 'recorded_at' },
    });
  checkDecisions(request);
  if (request.seed !== undefined && !isStoredUuid(request.seed))
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
  if (
    Array.isArray(decisions) &&
    decisions.length === operations.length &&
    decisions.every((decision) => storedProblem('decision', decision) === null)
  )
    return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: `\`decisions\` is \`${shown(decisions)}\` for \`${operations.length}\` operations.`,
    fix:
      'Give each operation its decision and the digest of its manifest, or leave `decisions` ' +
      'out.',
    where: { field: 'decisions' },
  });
}

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
    fix:
      'Pass when it was said, at most an hour ahead of the clock; or begin what is planned ' +
      'with `valid_from`.',
    where: { field: 'content.occurred_at', index },
  });
}

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE` with the index of the operation. */
export function checkOperations(operations: WriteRequest['operations']): void {
  checkBatchSize(operations);
  operations.forEach(checkOperation);
}

/** Of operations, or of what each becomes one: counted before any is made. */
export function checkBatchSize(operations: readonly unknown[]): void {
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
  const kind = OPERATIONS.find((known) => known === operation['operation']);
  if (!kind) throw refuse('operation', 'Use `ADD`, `UPDATE`, `DELETE`, `NOOP` or `UNDO`.');
  const problem = storedProblem(`operation_${kind}`, operation);
  if (problem) {
    const { field, isUnknown, fix = '' } = problem;
    const known = Object.keys(STORED_SCHEMAS[`operation_${kind}`].properties).join(', ');
    throw refuse(field, isUnknown ? `An \`${kind}\` has the fields ${known}.` : fix);
  }
  if (kind === 'ADD' || kind === 'UPDATE') checkVersion(operation, refuse);
}

function checkVersion(operation: Fields, refuse: Refuse): void {
  const { valid_from: from, valid_until: until } = operation;
  if (until !== undefined && String(until) <= String(from))
    throw refuse('valid_until', 'Pass a time after `valid_from`, in UTC with milliseconds.');
  const content = operation['content'];
  const table = TABLES.find((known) => known === operation['table']);
  if (isPlainObject(content) && table) checkContent(content, table, refuse);
}

function checkContent(content: Fields, table: Table, refuse: Refuse): void {
  const problem = storedProblem(`content_${table}`, content);
  if (problem) {
    const { field, isUnknown } = problem;
    const known = Object.keys(STORED_SCHEMAS[`content_${table}`].properties).join(', ');
    throw refuse(
      `content.${field}`,
      isUnknown
        ? `The content of \`${table}\` has ${known}.`
        : `Pass a \`${field}\` that \`${table}\` can hold: of its type, within its limits, ` +
            'without NUL or half a surrogate pair.',
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
