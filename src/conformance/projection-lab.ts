/** The bench of a law of projections: a tenant and ids of its own, and rows as they are fed. */
import assert from 'node:assert/strict';
import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';
import type { Change, Hit, KeysPart, QueryPart, SearchPart } from '../cxri/contract.ts';
import { guardProjection } from '../cxri/guard/projection.ts';
import type { FeedMark, ProjectedVersion, Projection, ProjectionFeed } from '../cxri/projection.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import type { AnyRow, FactContent, Versioned } from '../model/block.ts';
import { type Instant, parseTenant, parseUuid, type TenantId, type Uuid } from '../model/ids.ts';
import { VECTOR_SPACE_NAME } from './lab.ts';
import { day, factContent } from './law-operations.ts';
import { soon } from './soon.ts';

export interface ProjectionLabOptions {
  /** A connection to the store under test; each call another one to the same store. */
  connect(): Promise<Projection>;
  readonly tenantPrefix: string;
  /** How long a subscription may take to report a change. */
  readonly patienceMs: number;
}

/** A law of projections, as data. Rejects where it is broken. */
export interface ProjectionLaw {
  readonly name: string;
  check(lab: ProjectionLab): Promise<void>;
}

/** What of a batch does not follow from its rows. */
interface FedBeside {
  readonly mark?: FeedMark;
  readonly remove?: readonly Uuid[];
  readonly changes?: readonly Change[];
}

const FAR = 1_000_000;

export class ProjectionLab {
  readonly tenant: TenantId;
  readonly otherTenant: TenantId;
  readonly #options: ProjectionLabOptions;
  readonly #opened: AsyncDisposable[] = [];
  #ids = 0;

  constructor(options: ProjectionLabOptions) {
    this.#options = options;
    this.tenant = parseTenant(`${options.tenantPrefix}.a`);
    this.otherTenant = parseTenant(`${options.tenantPrefix}.b`);
  }

  /** As the connector made it: the guard must not hide a leak. */
  async raw(): Promise<Projection> {
    const projection = await this.#options.connect();
    this.#opened.push(projection);
    return projection;
  }

  async guarded(): Promise<Projection> {
    return guardProjection(await this.raw());
  }

  /** Let go when the law ends, however it ends. */
  async held<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
    const opened = await opening;
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const one of this.#opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  }

  id(): Uuid {
    this.#ids += 1;
    return parseUuid(`00000000-0000-4000-8000-${this.#ids.toString(16).padStart(12, '0')}`, 'id');
  }

  /** A fact as it stands in the ledger. */
  fact(
    scope: Uuid,
    content: string,
    columns: Partial<Versioned & FactContent> = {},
  ): Extract<AnyRow, { table: 'memory_open_set' }> {
    const uuid = columns.uuid ?? this.id();
    return {
      table: 'memory_open_set',
      row: {
        ...factContent(content),
        tenant_id: this.tenant,
        uuid,
        root_uuid: uuid,
        scope_uuid: scope,
        valid_from: day(1),
        valid_until: null,
        closed_seq: null,
        recorded_seq: 1,
        retired_seq: null,
        superseded_by: null,
        cause: null,
        status: 'live',
        operation: 'ADD',
        recut_of: null,
        ...columns,
      },
    };
  }

  /** Feeds versions of one scope, by a feed of its own. */
  async feed(
    projection: Projection,
    upsert: readonly ProjectedVersion[],
    more: FedBeside = {},
  ): Promise<void> {
    const feed = await projection.feed();
    try {
      await this.apply(feed, upsert, more);
    } finally {
      await feed[Symbol.asyncDispose]();
    }
  }

  async apply(
    feed: ProjectionFeed,
    upsert: readonly ProjectedVersion[],
    more: FedBeside = {},
  ): Promise<void> {
    const [first] = upsert;
    const mark = more.mark ?? (first && { ...markOf(first), ordinal: 0 });
    assert.ok(mark, 'a batch has a cursor');
    const tenant = first?.entry.row.tenant_id ?? this.tenant;
    const changes = upsert.map(({ entry: { table, row } }) => ({
      ...{ scope: row.scope_uuid, seq: row.recorded_seq, operation: row.operation, table },
      ...{ uuid: row.uuid, root_uuid: row.root_uuid },
    }));
    const told = { changes: more.changes ?? changes };
    await feed.apply({ tenant, upsert, remove: more.remove ?? [], ...told, cursor: mark });
  }

  async search(
    projection: Projection,
    scopes: readonly Uuid[],
    how: Partial<SearchPart> & {
      readonly at?: Instant;
      readonly head?: number;
      readonly tenant?: TenantId;
      readonly values?: readonly number[];
    } = {},
  ): Promise<readonly Hit[]> {
    const { at = day(50), head = FAR, tenant = this.tenant, values, ...part } = how;
    const asked: Exclude<QueryPart, KeysPart> = {
      id: 'search',
      table: 'memory_open_set',
      mode: 'search',
      limit: 100,
      ...(values && { vector: { space: VECTOR_SPACE_NAME, values } }),
      ...part,
    };
    const { parts } = await projection.query({
      tenant,
      position: scopes.map((scope) => ({ scope, head })),
      valid_at: at,
      parts: [asked],
    });
    const [answer] = parts;
    assert.ok(answer, 'a part is answered');
    if (!answer.ok) assert.fail(`${answer.error.code}: ${answer.error.message}`);
    return answer.hits;
  }

  async found(...asked: Parameters<ProjectionLab['search']>): Promise<readonly Uuid[]> {
    return (await this.search(...asked)).map(({ row }) => row.uuid).sort();
  }

  /** Every row of scopes, in the order of a scan. */
  async rows(
    projection: Projection,
    scopes: readonly Uuid[],
    limit = 100,
  ): Promise<readonly AnyRow[]> {
    const rows: AnyRow[] = [];
    const position = scopes.map((scope) => ({ scope, head: FAR }));
    const scan = { tenant: this.tenant, table: 'memory_open_set', position, limit } as const;
    for await (const page of scanPages(projection, scan)) {
      rows.push(...page);
      assert.ok(rows.length < 10_000, 'a scan ends');
    }
    return rows;
  }

  soon<T>(event: Promise<T>, what: string): Promise<T> {
    return soon(event, what, this.#options);
  }

  async refused(promise: Promise<unknown>, ...codes: readonly ErrorCode[]): Promise<void> {
    const error = await promise.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ContextEngineError, `a coded error, not ${String(error)}`);
    assert.ok(codes.includes(error.code), `${codes.join(' or ')}, not ${error.code}`);
  }
}

const markOf = ({ entry: { row } }: ProjectedVersion): { scope: Uuid; seq: number } => ({
  scope: row.scope_uuid,
  seq: row.recorded_seq,
});
