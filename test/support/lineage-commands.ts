/**
 * Random histories in which rows derive from versions and from ranges, the same for any connector:
 * what a command names depends on the commands alone.
 */
import fc from 'fast-check';
import { ContextEngineError } from '../../src/codes/errors.ts';
import {
  addScope,
  blockContent,
  day,
  factContent,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { type AnyRow, TABLES } from '../../src/model/block.ts';
import { parseTenant, parseUuid, type TenantId, type Uuid } from '../../src/model/ids.ts';
import type { JournalRecord } from '../../src/model/journal.ts';
import type { Operation, Receipt, Source } from '../../src/model/operation.ts';
import type { UndoPlan } from '../../src/model/undo.ts';
import type { Position } from '../../src/model/validity.ts';

export const DAYS = 6;
const SCOPES = 2;

interface Derived {
  readonly sources: readonly number[];
  readonly range: { readonly scope: number; readonly from: number; readonly length: number } | null;
}
interface Timing {
  readonly from: number;
  readonly until: number | null;
}
export type LineageCommand =
  | (Derived & Timing & { readonly kind: 'add'; readonly scope: number; readonly isTurn: boolean })
  | (Derived &
      Timing & {
        readonly kind: 'update';
        readonly target: number;
        readonly cause: 'change' | 'correction';
      })
  | {
      readonly kind: 'remove';
      readonly target: number;
      readonly cause: 'change' | 'correction' | 'prune';
      readonly from: number;
    }
  /** Of one of the operations before it, the latest the most often. */
  | { readonly kind: 'undo'; readonly back: number };
export type LineageHistory = readonly (readonly LineageCommand[])[];

/** What takes out of sight, what brings it back, and what ends it: of those before, by number. */
export type RedactionCommand =
  | {
      readonly kind: 'forget';
      readonly target: number;
      readonly how: 'version' | 'root' | 'block' | 'scope';
    }
  | { readonly kind: 'bring_back' | 'erase'; readonly back: number };
export type RedactedHistory = readonly (readonly LineageCommand[] | RedactionCommand)[];

const some = (max: number): fc.Arbitrary<number> => fc.nat({ max: max - 1 });
const orNull = <T>(of: fc.Arbitrary<T>, freq: number) => fc.option(of, { nil: null, freq });
const derived = {
  sources: fc.uniqueArray(some(12), { maxLength: 2 }),
  range: orNull(
    fc.record({ scope: some(SCOPES), from: fc.integer({ min: 1, max: 8 }), length: some(6) }),
    1,
  ),
};
const timing = { from: some(DAYS), until: orNull(some(DAYS), 2) };
const command: fc.Arbitrary<LineageCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      scope: some(SCOPES),
      isTurn: fc.boolean(),
      ...derived,
      ...timing,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      target: some(16),
      cause: fc.constantFrom('change' as const, 'correction' as const),
      ...derived,
      ...timing,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      target: some(16),
      cause: fc.constantFrom('change' as const, 'correction' as const, 'prune' as const),
      from: some(DAYS),
    }),
  },
);
const undo: fc.Arbitrary<LineageCommand> = fc.record({
  kind: fc.constant('undo' as const),
  back: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: some(8) }),
});
export const lineageHistories = (maxLength: number): fc.Arbitrary<LineageHistory> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(command, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.tuple(undo) },
    ),
    { minLength: 3, maxLength },
  );

const redaction: fc.Arbitrary<RedactionCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('forget' as const),
      target: some(16),
      how: fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom('version' as const, 'root' as const, 'block' as const),
        },
        { weight: 1, arbitrary: fc.constant('scope' as const) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('bring_back' as const),
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: some(4) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), back: some(3) }) },
);
export const redactedHistories = (maxLength: number): fc.Arbitrary<RedactedHistory> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.array(command, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.tuple(undo) },
      { weight: 4, arbitrary: redaction },
    ),
    { minLength: 3, maxLength },
  );
export const isRedaction = (
  step: readonly LineageCommand[] | RedactionCommand,
): step is RedactionCommand => 'kind' in step;

const CHANGING: ReadonlySet<string> = new Set(['stored', 'superseded']);

const uuidOf = (n: number): Uuid =>
  parseUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, 'uuid');

interface Named {
  readonly scope: Uuid;
  readonly root: Uuid;
  readonly uuid: Uuid;
  readonly isTurn: boolean;
}

/** What a connector answered and holds, one history through. */
export class LineageRun {
  readonly tenant: TenantId;
  readonly scopes = Array.from({ length: SCOPES }, (_, n) => uuidOf(n + 1));
  readonly authority: Authority;
  readonly #named: Named[] = [];
  /** The heads after each write. */
  readonly #heads: Position[] = [];
  /** Of operations that changed something. */
  readonly #receipts: Receipt[] = [];
  #ids = 100;

  constructor(authority: Authority, name: string) {
    this.authority = authority;
    this.tenant = parseTenant(name);
  }

  begin = (): Promise<unknown> => this.#write(this.scopes.map((scope) => addScope(scope)));

  /** Receipts, or the code of the refusal. */
  play = (commands: readonly LineageCommand[]): Promise<unknown> =>
    this.#write(commands.map((of) => this.#operation(of)));

  readonly #redactions: Uuid[] = [];

  /** What it gives, or the code of the refusal. */
  async redact(of: RedactionCommand): Promise<unknown> {
    const by = { tenant: this.tenant, principal: 'p', on_behalf_of: null, tier: 'T1' } as const;
    const scopes = null;
    try {
      if (of.kind === 'forget') {
        this.#ids += 1;
        const redaction = uuidOf(this.#ids);
        const { uuid, root, scope } = this.#target(of.target);
        const value = { version: uuid, root, block: root, scope }[of.how];
        const times = { at: day(100), erase_after: day(130) };
        const request = { ...by, ...times, redaction, scopes, kind: of.how, value };
        const { postings: _, vectors: __, ...counts } = await this.authority.forget(request);
        this.#redactions.push(redaction);
        return counts;
      }
      const redaction = this.#redactions.at(-1 - of.back) ?? uuidOf(97);
      const request = { ...by, redaction, at: day(101) };
      if (of.kind === 'erase') return (await this.authority.erase(request)).target_kind;
      return (await this.authority.bringBack({ ...request, scopes })).state;
    } catch (error) {
      if (!(error instanceof ContextEngineError)) throw error;
      const { operations = null } = error.meta ?? {};
      return [error.code, operations];
    }
  }

  async #write(operations: readonly Operation[]): Promise<unknown> {
    try {
      const request = { tenant: this.tenant, writer: WRITER, operations, recorded_at: day(100) };
      const { receipts, position } = await this.authority.write(request);
      this.#heads.push(await this.position());
      this.#receipts.push(...receipts.filter(({ outcome }) => CHANGING.has(outcome)));
      return { receipts, position: [...position].sort((a, b) => (a.scope < b.scope ? -1 : 1)) };
    } catch (error) {
      if (error instanceof ContextEngineError) return error.code;
      throw error;
    }
  }

  #operation(of: LineageCommand): Operation {
    if (of.kind === 'undo') {
      const { scope = uuidOf(1), operation_id: target = uuidOf(98) } =
        this.#receipts.at(-1 - of.back) ?? {};
      return { operation: 'UNDO', scope, target };
    }
    if (of.kind === 'add') {
      this.#ids += 1;
      const uuid = uuidOf(this.#ids);
      const scope = this.scopes[of.scope] ?? uuidOf(1);
      const derives = this.#derives(of);
      this.#named.push({ scope, root: uuid, uuid, isTurn: of.isTurn });
      const common = { operation: 'ADD', scope, uuid, ...spanOf(of), ...derives } as const;
      return of.isTurn
        ? { ...common, table: 'blocks', content: blockContent(`turn ${uuid}`) }
        : { ...common, table: 'memory_open_set', content: factContent(`fact ${uuid}`) };
    }
    const { scope, root, isTurn } = this.#target(of.target);
    const table = isTurn ? 'blocks' : 'memory_open_set';
    if (of.kind === 'remove') {
      const { cause, from } = of;
      return { operation: 'DELETE', table, scope, root_uuid: root, cause, valid_from: day(from) };
    }
    this.#ids += 1;
    const uuid = uuidOf(this.#ids);
    const derives = this.#derives(of);
    this.#named.push({ scope, root, uuid, isTurn });
    const { cause } = of;
    const common = {
      operation: 'UPDATE',
      scope,
      uuid,
      root_uuid: root,
      cause,
      ...spanOf(of),
      ...derives,
    } as const;
    return isTurn
      ? { ...common, table: 'blocks', content: blockContent(`turn ${uuid}`) }
      : { ...common, table: 'memory_open_set', content: factContent(`fact ${uuid}`) };
  }

  #derives({ sources, range }: Derived): { readonly sources?: readonly Source[] } {
    const named: readonly Source[] = [
      ...new Set(this.#named.length === 0 ? [] : sources.map((n) => this.#target(n).uuid)),
    ];
    const scope = range === null ? undefined : this.scopes[range.scope];
    const ranged: readonly Source[] =
      range === null || !scope
        ? []
        : [{ scope, from_seq: range.from, to_seq: range.from + range.length }];
    const all = [...named, ...ranged];
    return all.length === 0 ? {} : { sources: all };
  }

  /** Operations that changed something, in order. */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  #target(n: number): Named {
    const known = this.#named[n % Math.max(1, this.#named.length)];
    return known ?? { scope: uuidOf(1), root: uuidOf(99), uuid: uuidOf(99), isTurn: false };
  }

  position = async (): Promise<Position> => {
    const { position } = await this.authority.heads(this.tenant, this.scopes);
    return [...position].sort((a, b) => (a.scope < b.scope ? -1 : 1));
  };

  /** What its undo would do now. */
  undoOf = (operation: Uuid): Promise<UndoPlan | null> =>
    this.authority.readUndo(this.tenant, operation, { all: true, uuids: new Set() });

  /** Which write a number of a scope is of. */
  writeOf = (scope: Uuid, seq: number): number =>
    this.#heads.findIndex((heads) =>
      heads.some((entry) => entry.scope === scope && entry.head >= seq),
    );

  /** The heads after each write. */
  get positions(): readonly Position[] {
    return this.#heads;
  }

  /** What is visible at each day by a position: root, time and content. */
  async visible(position: Position): Promise<readonly string[]> {
    const seen: string[] = [];
    for (const table of ['blocks', 'memory_open_set'] as const)
      for (let at = 0; at <= DAYS; at += 1) {
        const asked = { kind: 'scan', tenant: this.tenant, table, position, limit: 1000 } as const;
        const { rows } = await this.authority.read({ ...asked, visible_at: day(at) });
        for (const { row } of rows)
          if ('content' in row) seen.push(`${at} ${row.root_uuid} ${row.content}`);
      }
    return seen.sort();
  }

  /** Every row, by id. */
  async rows(): Promise<readonly AnyRow[]> {
    const position = this.scopes.map((scope) => ({ scope, head: 1_000_000 }));
    const rows: AnyRow[] = [];
    for (const table of TABLES) {
      const asked = { kind: 'scan', tenant: this.tenant, table, position, limit: 1000 } as const;
      rows.push(...(await this.authority.read(asked)).rows);
    }
    return rows.sort((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1));
  }

  async journals(): Promise<readonly (readonly JournalRecord[])[]> {
    const after = { seq: 0, ordinal: 0 };
    const asked = { tenant: this.tenant, after, head: 1_000_000, limit: 10_000 };
    return Promise.all(this.scopes.map((scope) => this.authority.readJournal({ ...asked, scope })));
  }
}

const spanOf = ({ from, until }: Timing) => ({
  valid_from: day(from),
  ...(until !== null && until > from && { valid_until: day(until) }),
});
