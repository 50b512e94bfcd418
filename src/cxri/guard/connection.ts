/**
 * What is common to all connectors, done once around any of them: requests are checked before,
 * answers after, time limits are kept, and what a connector cannot do is refused rather than
 * emulated.
 */

import { ContextEngineError } from '../../codes/errors.ts';
import { checkQueryAnswer, checkReadAnswer, checkWriteAnswer } from '../check-answer.ts';
import { checkPart, checkQuery, checkRead } from '../check-query.ts';
import { checkRequest } from '../check-request.ts';
import { checkWrite } from '../check-write.ts';
import type {
  Capability,
  Connection,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  WriteRequest,
} from '../contract.ts';
import { withinLimits } from '../deadline.ts';

/**
 * Refuses a connection that does not pre-filter: `CONNECTOR.MISSING_CAPABILITY`. Disposing the
 * guard disposes the connection.
 */
export function guard(connection: Connection): Connection {
  const { name, capabilities } = connection;
  let isClosed = false;
  const need = (capability: Capability, what: string): void => {
    if (capabilities[capability]) return;
    throw new ContextEngineError('CONNECTOR.MISSING_CAPABILITY', {
      message: `The connector \`${name}\` has no \`${capability}\`, which ${what} needs.`,
      fix: 'Use a connector that has it; isolation and ordering are never emulated.',
      meta: { connector: name, capability },
    });
  };
  const open = (): void => {
    if (isClosed)
      throw new ContextEngineError('CONNECTOR.CLOSED', {
        message: `The connection to \`${name}\` was closed.`,
        fix: 'Connect again.',
      });
  };
  need('prefilter', 'every use');

  return {
    name,
    capabilities,
    query: async (request) => {
      open();
      checkQuery(request);
      return withinLimits(request, `${name}.query`, () => queryParts(request, connection, need));
    },
    read: async (request) => {
      open();
      checkRead(request);
      if (request.kind === 'scan' && request.visible_at !== undefined)
        need('temporal', 'a scan at a valid time');
      const result = await withinLimits(request, `${name}.read`, () => connection.read(request));
      checkReadAnswer(request, result);
      return result;
    },
    write: async (request) => {
      open();
      checkWrite(request);
      checkWriteCapabilities(request, need);
      const result = await withinLimits(request, `${name}.write`, () => connection.write(request));
      checkWriteAnswer(request, result);
      return result;
    },
    subscribe: async (filter, listener) => {
      open();
      need('changes', 'a subscription');
      checkRequest('changes', filter);
      return connection.subscribe(filter, listener);
    },
    health: async () => {
      open();
      return connection.health();
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await connection[Symbol.asyncDispose]();
    },
  };
}

type Need = (capability: Capability, what: string) => void;

/** A part that is malformed or cannot be served is answered so by itself; the others go through. */
async function queryParts(
  request: QueryRequest,
  connection: Connection,
  need: Need,
): Promise<QueryResult> {
  const refusals = new Map<string, PartResult>();
  const sound = request.parts.filter((part) => {
    try {
      checkPart(part, request.position);
      checkPartCapabilities(part, need);
      return true;
    } catch (error) {
      if (!(error instanceof ContextEngineError)) throw error;
      refusals.set(part.id, {
        id: part.id,
        ok: false,
        error: { code: error.code, message: error.message },
      });
      return false;
    }
  });
  const answer: QueryResult =
    sound.length === 0
      ? { parts: [], next_edge: null }
      : await connection.query(
          sound.length === request.parts.length ? request : { ...request, parts: sound },
        );
  checkQueryAnswer(request, sound, answer.parts);
  if (refusals.size === 0) return answer;
  const answered = new Map(answer.parts.map((part) => [part.id, part]));
  return {
    ...answer,
    parts: request.parts.flatMap((part) => refusals.get(part.id) ?? answered.get(part.id) ?? []),
  };
}

function checkPartCapabilities(part: QueryPart, need: Need): void {
  if (part.mode === 'list' || part.filter !== undefined) need('structured', 'a list or a filter');
  if (part.mode !== 'search' && part.mode !== 'keys') return;
  if (part.text !== undefined) need('text', 'a search by text');
  if (part.vector !== undefined) need('vector', 'a search by vector');
  if (part.text !== undefined && part.vector !== undefined) need('hybrid', 'a search by both');
}

function checkWriteCapabilities(request: WriteRequest, need: Need): void {
  need('write', 'a write');
  if (request.operations.length > 1) need('atomic', 'a batch of operations');
  if (request.operations.some((operation) => operation.idempotency_key !== undefined))
    need('idempotent', 'an idempotency key');
}
