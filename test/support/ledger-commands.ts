/**
 * Random writes, the same for any connector: which rows they name depends on the commands alone,
 * never on what came of them.
 */
import fc from 'fast-check';
import { ContextEngineError } from '../../src/codes/errors.ts';
import {
  addBlock,
  addFact,
  addLink,
  addScope,
  addTyped,
  blockContent,
  day,
  type Extra,
  factContent,
  linkContent,
  noop,
  typedContent,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import type { Connection } from '../../src/cxri/contract.ts';
import type { Table } from '../../src/model/block.ts';
import { parseTenant, parseUuid, type TenantId, type Uuid } from '../../src/model/ids.ts';
import type { Operation, Receipt } from '../../src/model/operation.ts';

export const DAYS = 8;
const SCOPES = 3;
/** Targets that a command can draw; the last is a row that never was. */
const TARGETS = 24;

interface Timing {
  readonly from: number;
  readonly until: number | null;
}
export type Command =
  | (Timing & {
      readonly kind: 'fact' | 'turn';
      readonly scope: number;
      readonly text: number;
      readonly isKeyed: boolean;
      readonly source: number | null;
    })
  | (Timing & {
      readonly kind: 'typed';
      readonly scope: number;
      readonly property: number;
      readonly value: number;
    })
  | (Timing & {
      readonly kind: 'update';
      readonly target: number;
      readonly cause: 'change' | 'correction' | 'merge';
      readonly expects: boolean;
    })
  | {
      readonly kind: 'remove';
      readonly target: number;
      readonly cause: 'change' | 'correction' | 'prune';
      readonly from: number;
    }
  | {
      readonly kind: 'pin';
      readonly scope: number;
      readonly target: number;
      readonly ordinal: number;
    }
  /** Of an operation before, the latest the most often. */
  | { readonly kind: 'undo'; readonly back: number }
  | { readonly kind: 'noop'; readonly scope: number };
export interface Batch {
  readonly tenant: number;
  readonly commands: readonly Command[];
}

const some = (max: number): fc.Arbitrary<number> => fc.nat({ max: max - 1 });
const timing = { from: some(DAYS), until: fc.option(some(DAYS), { nil: null, freq: 4 }) };
const anyRow = some(TARGETS);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('fact' as const, 'turn' as const),
      scope: some(SCOPES),
      text: some(2),
      isKeyed: fc.boolean(),
      source: fc.option(some(TARGETS), { nil: null, freq: 2 }),
      ...timing,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('typed' as const),
      scope: some(SCOPES),
      property: some(2),
      value: some(2),
      ...timing,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      target: anyRow,
      cause: fc.constantFrom(
        'change' as const,
        'change' as const,
        'correction' as const,
        'merge' as const,
      ),
      expects: fc.boolean(),
      ...timing,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      target: anyRow,
      cause: fc.constantFrom('change' as const, 'correction' as const, 'prune' as const),
      from: some(DAYS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pin' as const),
      scope: some(SCOPES),
      target: anyRow,
      ordinal: some(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      back: fc.oneof(fc.constant(0), some(10)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('noop' as const), scope: some(SCOPES) }) },
);
export const batches = (minLength: number, maxLength: number): fc.Arbitrary<readonly Batch[]> =>
  fc.array(
    fc.record({ tenant: some(2), commands: fc.array(command, { minLength: 1, maxLength: 2 }) }),
    { minLength, maxLength },
  );

const uuidOf = (n: number): Uuid =>
  parseUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, 'uuid');

interface Named {
  readonly scope: Uuid;
  readonly uuid: Uuid;
  readonly table: Table;
  /** Of a typed value: `p0` holds one value at a time. */
  readonly property?: string;
}

const typedOf = (value: string, property: string) =>
  typedContent(value, { property, cardinality: property === 'p0' ? 'one' : 'many' });

/**
 * Turns commands into operations; both tenants use the same scopes and draw from one list of ids.
 */
export class Script {
  readonly tenants: readonly [TenantId, TenantId];
  readonly scopes: readonly Uuid[] = Array.from({ length: SCOPES }, (_, n) => uuidOf(n + 1));
  readonly #named: readonly [Named[], Named[]] = [[], []];
  readonly #heard: readonly [Receipt[], Receipt[]] = [[], []];
  #tenant = 0;
  #ids = 1000;

  constructor(prefix: string) {
    this.tenants = [parseTenant(`${prefix}.a`), parseTenant(`${prefix}.b`)];
  }

  /** Ids that the script gave; all others were made by the connector. */
  isGiven(uuid: Uuid): boolean {
    return this.scopes.includes(uuid) || this.#named.flat().some((named) => named.uuid === uuid);
  }

  /** The scopes of a tenant, and rows in each that commands can aim at. */
  setUp(tenant: TenantId): readonly Operation[] {
    this.#tenant = this.tenants.indexOf(tenant);
    const rows = this.scopes.flatMap((scope) => [
      addFact(this.#place(scope, 'memory_open_set'), factContent('first'), { from: 2 }),
      addBlock(this.#place(scope, 'blocks'), blockContent('first turn'), { from: 1 }),
      addTyped(this.#place(scope, 'memory_schema_typed', 'p1'), typedOf('first', 'p1'), {
        from: 3,
      }),
    ]);
    return [...this.scopes.map((scope) => addScope(scope)), ...rows];
  }

  operations(batch: Batch): readonly Operation[] {
    this.#tenant = batch.tenant % 2;
    return batch.commands.map((of) => this.#operation(of));
  }

  /** What the last batch was answered with: an undo names an operation of one of them. */
  hear(receipts: readonly Receipt[]): void {
    this.#heard[this.#tenant === 0 ? 0 : 1].push(...receipts);
  }

  get #own(): Named[] {
    return this.#named[this.#tenant === 0 ? 0 : 1];
  }

  #operation(of: Command): Operation {
    if (of.kind === 'noop') return noop(this.#scope(of.scope));
    if (of.kind === 'undo') {
      const undone = this.#heard[this.#tenant === 0 ? 0 : 1].at(-1 - of.back);
      const { scope = uuidOf(1), operation_id: target = uuidOf(901) } = undone ?? {};
      return { operation: 'UNDO', scope, target };
    }
    if (of.kind === 'remove') {
      const { scope, uuid, table } = this.#target(of.target);
      return {
        operation: 'DELETE',
        table,
        scope,
        root_uuid: uuid,
        cause: of.cause,
        valid_from: day(of.from),
      };
    }
    if (of.kind === 'pin') {
      const place = this.#place(this.#scope(of.scope), 'context_links');
      return addLink(
        place,
        linkContent('pinned', {
          from: place.scope,
          to: this.#target(of.target).uuid,
          ordinal: of.ordinal,
        }),
      );
    }
    const extra: Extra = {
      from: of.from,
      ...(of.until !== null && of.until > of.from && { until: of.until }),
    };
    if (of.kind === 'update') return this.#update(of, extra);
    if (of.kind === 'typed') {
      const property = `p${of.property}`;
      return addTyped(
        this.#place(this.#scope(of.scope), 'memory_schema_typed', property),
        typedOf(`value ${of.value}`, property),
        extra,
      );
    }
    const place = this.#place(
      this.#scope(of.scope),
      of.kind === 'fact' ? 'memory_open_set' : 'blocks',
    );
    // What is keyed says the same each time, but that a fact and a turn may share a key.
    const says = of.isKeyed ? 'keyed' : `text ${of.text}`;
    const sources = of.source === null ? {} : { sources: [this.#target(of.source).uuid] };
    const how: Extra = of.isKeyed ? { from: 0, key: 'key' } : { ...extra, ...sources };
    return of.kind === 'fact'
      ? addFact(place, factContent(says), how)
      : addBlock(place, blockContent(says), how);
  }

  #update(of: Extract<Command, { kind: 'update' }>, extra: Extra): Operation {
    const target = this.#target(of.target);
    // A merge aims at whatever key there is: it is refused where the value has another.
    const property = of.cause === 'merge' ? 'p1' : (target.property ?? 'p1');
    const { scope, uuid } = this.#place(target.scope, target.table, target.property);
    const common = {
      operation: 'UPDATE',
      scope,
      uuid,
      root_uuid: target.uuid,
      cause: of.cause,
      valid_from: day(extra.from ?? 0),
      ...(extra.until !== undefined && { valid_until: day(extra.until) }),
      ...(of.expects && { expected_version: target.uuid }),
    } as const;
    if (target.table === 'blocks')
      return { ...common, table: 'blocks', content: blockContent(`turn by ${uuid}`) };
    if (target.table === 'memory_schema_typed')
      return { ...common, table: 'memory_schema_typed', content: typedOf(`by ${uuid}`, property) };
    return { ...common, table: 'memory_open_set', content: factContent(`fact by ${uuid}`) };
  }

  #scope(n: number): Uuid {
    return this.scopes[n % SCOPES] ?? uuidOf(1);
  }

  #place(scope: Uuid, table: Table, property?: string): Named {
    this.#ids += 1;
    const named = {
      scope,
      uuid: uuidOf(this.#ids),
      table,
      ...(property !== undefined && { property }),
    };
    this.#own.push(named);
    return named;
  }

  /** A row that was written before, or one that never was. */
  #target(n: number): Named {
    const known = n === TARGETS - 1 ? undefined : this.#own[n % this.#own.length];
    return known ?? { scope: this.#scope(n), uuid: uuidOf(900), table: 'memory_open_set' };
  }
}

/**
 * What a connector answered: receipts without what it may make as it likes, or the code of its
 * refusal.
 */
export async function play(connection: Connection, script: Script, batch: Batch): Promise<unknown> {
  const tenant = script.tenants[batch.tenant % 2] ?? script.tenants[0];
  try {
    const { receipts, counts, position } = await connection.write({
      tenant,
      writer: WRITER,
      operations: script.operations(batch),
      recorded_at: day(100),
    });
    script.hear(receipts);
    const told = receipts.map(
      ({ operation, table, outcome, scope, uuid, root_uuid, seq, embedding }) => ({
        operation,
        table,
        outcome,
        scope,
        uuid: uuid && shownId(script, uuid),
        root_uuid: root_uuid && shownId(script, root_uuid),
        seq,
        embedding,
      }),
    );
    return { told, counts, position: [...position].sort((a, b) => (a.scope < b.scope ? -1 : 1)) };
  } catch (error) {
    if (error instanceof ContextEngineError) return error.code;
    throw error;
  }
}

export const shownId = (script: Script, uuid: Uuid): string =>
  script.isGiven(uuid) ? uuid : 'made by the connector';
