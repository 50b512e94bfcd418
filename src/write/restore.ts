/** Reads the lines of an export back into a scope that is not there yet. Checked whole before anything is written. */
import type { Authority } from '../cxri/authority.ts';
import type { AnyRow } from '../model/block.ts';
import { TABLES } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseUuid, shown } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import { strictest } from '../model/permission.ts';
import { invalidWrite } from './check-content.ts';
import { refuse } from './decide.ts';

const FORMAT = 'contextengine.scope/1';

interface Restoring {
  readonly authority: Authority;
  readonly grant: Grant;
  readonly now: Instant;
  readonly writer: string;
}

export async function restoreScope(
  lines: AsyncIterable<unknown>,
  { authority, grant, now, writer }: Restoring,
): Promise<{ readonly scope_block_uuid: Uuid; readonly rows: number }> {
  if (!isIterable(lines))
    throw invalidWrite(`\`lines\` is \`${shown(lines)}\`.`, 'Pass the lines of an export, as an (async) iterable.', 'lines');
  let header: { scope: Uuid; head: number } | undefined;
  const rows: AnyRow[] = [];
  for await (const line of lines) {
    if (!header) header = parseHeader(line);
    else rows.push(parseRow(line, { ...header, grant, index: rows.length + 2 }));
  }
  if (!header) throw invalidWrite('The import is empty.', 'Pass what `contextengine export` wrote.');
  const tier = grant.kind === 'agent' ? strictest('T3', grant.tiers.writes) : grant.tiers.writes;
  if (tier !== 'T1') await refuse({ grant, decision: { tier, key: 'writes' }, scope: header.scope, index: 0, now }, authority);
  await authority.restoreScope({
    tenant: grant.tenant,
    scope: header.scope,
    head: header.head,
    rows,
    recorded_at: now,
    writer: { principal: grant.principal, on_behalf_of: grant.onBehalfOf, writer, manifest_digest: null, decision: 'T1' },
  });
  return { scope_block_uuid: header.scope, rows: rows.length };
}

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);

function parseHeader(line: unknown): { scope: Uuid; head: number } {
  const { format, scope_block_uuid: scope, head } = Object(line) as Record<string, unknown>;
  if (format !== FORMAT)
    throw invalidWrite(
      `The first line says the format is \`${shown(format)}\`.`,
      `Pass what \`contextengine export\` wrote (\`${FORMAT}\`).`,
    );
  if (typeof head !== 'number' || !Number.isSafeInteger(head) || head < 0)
    throw invalidWrite(`The head is \`${shown(head)}\`.`, 'Pass an export that was not edited.');
  return { scope: parseUuid(scope, 'scope_block_uuid'), head };
}

/** A row of the exported scope, moved to the tenant that imports it. */
function parseRow(
  line: unknown,
  { scope, head, grant, index }: { readonly scope: Uuid; readonly head: number; readonly grant: Grant; readonly index: number },
): AnyRow {
  const { table, row } = Object(line) as Record<string, unknown>;
  const known = TABLES.find((name) => name === table);
  const fields = Object(row) as Record<string, unknown>;
  const broken = (what: string): Error => invalidWrite(`Line ${index}: ${what}.`, 'Pass an export that was not edited.');
  if (!known || typeof row !== 'object' || row === null) throw broken(`the table is \`${shown(table)}\``);
  if (parseUuid(fields['scope_uuid'], `line ${index}: scope_uuid`) !== scope)
    throw broken(`the row belongs to scope \`${shown(fields['scope_uuid'])}\``);
  parseUuid(fields['uuid'], `line ${index}: uuid`);
  parseInstant(fields['valid_from'], `line ${index}: valid_from`);
  const isOutOfRange = ['recorded_seq', 'retired_seq', 'closed_seq'].some(
    (name) => typeof fields[name] === 'number' && (fields[name] < 1 || fields[name] > head),
  );
  if (isOutOfRange || typeof fields['recorded_seq'] !== 'number') throw broken('a sequence number is outside of the scope');
  return rowOf(known, { ...fields, tenant_id: grant.tenant });
}

/** The database's own constraints judge the columns; what was checked above is what they cannot know. */
const rowOf = (table: AnyRow['table'], row: object): AnyRow => Object.assign({ table }, { row }) as AnyRow;
