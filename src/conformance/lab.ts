/**
 * The bench of one law: connections, tenants and ids of its own, and the few reads and writes that
 * laws are written in.
 */
import assert from 'node:assert/strict';
import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Connection, Hit, QueryPart } from '../cxri/contract.ts';
import { guard } from '../cxri/guard/connection.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import type { AnyRow, Table } from '../model/block.ts';
import { type Instant, parseTenant, parseUuid, type TenantId, type Uuid } from '../model/ids.ts';
import type { Operation, WriteDecision, WriteResult } from '../model/operation.ts';
import type { Position } from '../model/validity.ts';
import { addScope, day, WRITER } from './law-operations.ts';
import { soon } from './soon.ts';

export interface LabOptions {
  /** A connection to the store under test; each call another one to the same store. */
  connect(): Promise<Connection | Authority>;
  /** Makes tenant names of this law unlike those of any other. */
  readonly tenantPrefix: string;
  /** Stores vectors of the space `conformance/suite/4`, where the store takes them from outside. */
  readonly storeVectors?: (connection: Connection, rows: readonly VectorRow[]) => Promise<void>;
  /** How long to wait for what a connector does by itself. */
  readonly patienceMs: number;
}
export interface VectorRow {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly table: 'blocks' | 'memory_open_set' | 'subtree_summaries';
  readonly uuid: Uuid;
  readonly values: readonly number[];
}

/** The space that {@link LabOptions.storeVectors} fills. */
export const VECTOR_SPACE = { provider: 'conformance', model: 'suite', dimensions: 4 } as const;
export const VECTOR_SPACE_NAME = 'conformance/suite/4';

/** A search or list without the fields that a law does not care for. */
export interface Ask {
  readonly tenant?: TenantId;
  readonly at?: Instant;
  readonly position?: Position;
}

export class Lab {
  readonly tenant: TenantId;
  readonly otherTenant: TenantId;
  readonly #options: LabOptions;
  readonly #opened: Connection[] = [];
  #ids = 0;

  constructor(options: LabOptions) {
    this.#options = options;
    this.tenant = parseTenant(`${options.tenantPrefix}.a`);
    this.otherTenant = parseTenant(`${options.tenantPrefix}.b`);
  }

  /**
   * The connection as the connector made it: what the isolation laws look at, so that the guard
   * cannot hide a leak.
   */
  async raw(): Promise<Connection | Authority> {
    const connection = await this.#options.connect();
    this.#opened.push(connection);
    return connection;
  }

  /** As the engine uses it. */
  async connect(): Promise<Connection> {
    return guard(await this.raw());
  }

  async authority(): Promise<Authority> {
    const connection = await this.raw();
    assert.ok(
      'resolveScope' in connection,
      'a connector that is declared an authority implements the second interface',
    );
    return connection;
  }

  async storeVectors(connection: Connection, rows: readonly VectorRow[]): Promise<void> {
    assert.ok(this.#options.storeVectors, 'the suite was given a way to store vectors');
    await this.#options.storeVectors(connection, rows);
  }

  /** Rejects where `event` has not come within the suite's patience. */
  async soon<T>(event: Promise<T>, what: string): Promise<T> {
    return soon(event, what, this.#options);
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#opened.splice(0).map((connection) => connection[Symbol.asyncDispose]()),
    );
  }

  /** Fresh, and in ascending order. */
  id(): Uuid {
    this.#ids += 1;
    return parseUuid(`00000000-0000-4000-8000-${this.#ids.toString(16).padStart(12, '0')}`, 'id');
  }

  async write(
    connection: Connection,
    operations: readonly Operation[],
    how: {
      readonly tenant?: TenantId;
      readonly recorded?: Instant;
      readonly signal?: AbortSignal;
      readonly mustBeNew?: readonly Uuid[];
      readonly decisions?: readonly WriteDecision[];
    } = {},
  ): Promise<WriteResult> {
    return connection.write({
      tenant: how.tenant ?? this.tenant,
      writer: WRITER,
      operations,
      recorded_at: how.recorded ?? day(100),
      ...(how.signal && { signal: how.signal }),
      ...(how.mustBeNew && { must_be_new: how.mustBeNew }),
      ...(how.decisions && { decisions: how.decisions }),
    });
  }

  async scope(connection: Connection, tenant = this.tenant): Promise<Uuid> {
    const uuid = this.id();
    await this.write(connection, [addScope(uuid)], { tenant });
    return uuid;
  }

  /** The hits of one part; rejects with the part's error. */
  async hits(
    connection: Connection,
    part: QueryPart,
    ask: Ask & { readonly position: Position },
  ): Promise<readonly Hit[]> {
    const { parts } = await connection.query({
      tenant: ask.tenant ?? this.tenant,
      position: ask.position,
      valid_at: ask.at ?? day(50),
      parts: [part],
    });
    const [answer] = parts;
    assert.ok(answer, 'a part is answered');
    if (!answer.ok) assert.fail(`${answer.error.code}: ${answer.error.message}`);
    return answer.hits;
  }

  /** Everything of a table that is visible in the scopes at the position, by uuid. */
  async uuids(
    connection: Connection,
    table: Table,
    ask: Ask & { readonly position: Position },
  ): Promise<readonly Uuid[]> {
    const hits = await this.hits(
      connection,
      { id: 'all', table, mode: 'list', limit: 1000, order: { by: 'uuid', direction: 'asc' } },
      ask,
    );
    return hits.map((hit) => hit.row.uuid);
  }

  async versions(
    connection: Connection,
    uuids: readonly Uuid[],
    how: { readonly tenant?: TenantId; readonly scopes?: readonly Uuid[] } = {},
  ): Promise<readonly AnyRow[]> {
    const { rows } = await connection.read({
      kind: 'versions',
      tenant: how.tenant ?? this.tenant,
      scopes: how.scopes ?? '*',
      uuids,
    });
    return rows;
  }

  /** All pages of a scan. */
  async scan(
    connection: Connection,
    request: {
      readonly table: Table;
      readonly position: Position;
      readonly limit: number;
      readonly tenant?: TenantId;
    },
  ): Promise<readonly AnyRow[]> {
    const rows: AnyRow[] = [];
    for await (const page of scanPages(connection, { tenant: this.tenant, ...request })) {
      rows.push(...page);
      assert.ok(rows.length < 10_000, 'a scan ends');
    }
    return rows;
  }

  /** Asserts a refusal by its code; any of several where back ends may differ. */
  async refused(
    promise: Promise<unknown>,
    ...codes: readonly ErrorCode[]
  ): Promise<ContextEngineError> {
    try {
      await promise;
    } catch (error) {
      assert.ok(error instanceof ContextEngineError, `a coded error, not ${String(error)}`);
      assert.ok(
        codes.includes(error.code),
        `${codes.join(' or ')}, not ${error.code}: ${error.message}`,
      );
      assert.notEqual(error.fix, '', 'an error says what to do');
      return error;
    }
    return assert.fail(`${codes.join(' or ')}, but it was accepted`);
  }
}
