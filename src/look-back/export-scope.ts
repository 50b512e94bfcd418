/**
 * A scope as lines of JSON, all of it at one position: the heads are read first, and what was
 * written later is left out or undone, so that an export taken during writes can be imported.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import { isHalfSettled, rowAtHead } from '../ledger/row-at-head.ts';
import type { AnyRow, Table } from '../model/block.ts';
import { TABLES } from '../model/block.ts';
import type { TenantId, Uuid } from '../model/ids.ts';
import {
  headerLine,
  journalLine,
  type Line,
  LineDigest,
  outcomeLine,
  rowLine,
  type ScopeHeader,
} from './scope-format.ts';

const PAGE = 500;

export interface Exporting {
  readonly authority: Authority;
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly digestOf: (text: string) => string;
  /**
   * Rejects where the caller does not read the scope, as of now. An export takes as long as its
   * reader does: it is judged anew for each page that was read, before a line of it is handed out.
   */
  readonly admit: () => Promise<void>;
}

export async function* exportScope(of: Exporting): AsyncGenerator<Line> {
  const { position, usage_position: usage } = await of.authority.heads(of.tenant, [of.scope]);
  const [own] = position;
  if (!own)
    throw new ContextEngineError('SCOPE.NOT_FOUND', {
      message: `There is no scope \`${of.scope}\` in tenant \`${of.tenant}\`.`,
      fix: 'List what there is with `contextengine scope list`.',
      where: { field: 'scope' },
    });
  const header = { scope: of.scope, head: own.head, usageHead: usage[0]?.head ?? 0 };
  const digest = new LineDigest(of.digestOf);
  for await (const page of pagesOf(of, header)) {
    await of.admit();
    for (const line of page) yield digest.add(line);
  }
  yield digest.endLine();
}

type Pages = AsyncGenerator<readonly Line[]>;

async function* pagesOf(of: Exporting, header: ScopeHeader): Pages {
  yield [headerLine(header)];
  yield* journalPages(of, header);
  for (const table of TABLES) yield* rowPages(of, header, table);
  yield* outcomePages(of, header);
}

async function* journalPages(of: Exporting, { head }: ScopeHeader): Pages {
  const { authority, tenant, scope } = of;
  let after = { seq: 0, ordinal: 0 };
  for (;;) {
    const page = await authority.readJournal({ tenant, scope, after, head, limit: PAGE });
    yield page.map(journalLine);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { seq: last.seq, ordinal: last.ordinal };
  }
}

async function* rowPages(of: Exporting, header: ScopeHeader, table: Table): Pages {
  const { authority, tenant, scope } = of;
  const position = [{ scope, head: header.head }];
  for await (const rows of scanPages(authority, { tenant, table, position, limit: PAGE })) {
    const later = await supersededLater(of, rows, header);
    yield rows.map((entry) =>
      rowLine(rowAtHead(entry, header.head, later.has(entry.row.superseded_by))),
    );
  }
}

/** Versions that these rows were superseded by after the head. */
async function supersededLater(
  { authority, tenant, scope }: Exporting,
  rows: readonly AnyRow[],
  { head }: ScopeHeader,
): Promise<ReadonlySet<Uuid | null>> {
  const uuids = rows.flatMap((entry) =>
    isHalfSettled(entry, head) && entry.row.superseded_by ? [entry.row.superseded_by] : [],
  );
  if (uuids.length === 0) return new Set();
  const found = await authority.read({ kind: 'versions', tenant, scopes: [scope], uuids });
  return new Set(found.rows.flatMap(({ row }) => (row.recorded_seq > head ? [row.uuid] : [])));
}

async function* outcomePages(of: Exporting, { usageHead }: ScopeHeader): Pages {
  const { authority, tenant, scope } = of;
  for (let after = 0; after < usageHead; ) {
    const asked = { tenant, scope, after, head: usageHead, limit: PAGE };
    const page = await authority.readOutcomes(asked);
    yield page.map(outcomeLine);
    const last = page.at(-1);
    if (!last) return;
    after = last.usage_seq;
  }
}
