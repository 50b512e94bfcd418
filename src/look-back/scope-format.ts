/**
 * The format of an exported scope, for export and import alike: lines of JSON.
 *
 * header    the format with its version, the scope, and the position that all of it is of
 * journal   one line for each entry, by (seq, ordinal)
 * rows      one line for each version, by table, then (recorded_seq, uuid)
 * outcomes  one line for each recorded outcome, by number
 * end       how many lines there were, and a digest of them: a file that was cut off or damaged is
 *           refused. It is no signature: what an import accepts is judged by the laws of a history
 *
 * Several scopes are their exports, one after the other.
 *
 * The tenant is not part of it, nor are vectors (made again), receipts (they hold the questions of
 * those who asked) and the rights of principals.
 *
 * Format 1 (0.1.0) had a header and rows alone. It is read still; its rows come without the times
 * and idempotency keys that it did not hold. In format 2 lineage led from roots
 * (`earlier-lineage.ts`).
 */
import { ContextEngineError } from '../codes/errors.ts';
import { canonicalJson } from '../cxri/payload.ts';
import type { OutcomeRecord } from '../cxri/ports/usage.ts';
import type { AnyRow } from '../model/block.ts';
import { parseUuid, shown, type Uuid } from '../model/ids.ts';
import type { JournalRecord } from '../model/journal.ts';
import { withVersionLineage } from './earlier-lineage.ts';

export const SCOPE_FORMAT = 'contextengine.scope/3';
/** Lineage led from roots, and the journal named no cause. */
const FORMAT_BY_ROOT = 'contextengine.scope/2';
const FORMAT_WITHOUT_JOURNAL = 'contextengine.scope/1';

export type Line = Readonly<Record<string, unknown>>;

export interface ScopeHeader {
  readonly scope: Uuid;
  readonly head: number;
  /** The number of its last outcome. */
  readonly usageHead: number;
}

export const headerLine = ({ scope, head, usageHead }: ScopeHeader): Line => ({
  format: SCOPE_FORMAT,
  scope_block_uuid: scope,
  head,
  usage_head: usageHead,
});
export const journalLine = (journal: JournalRecord): Line => ({ journal });
export const outcomeLine = (outcome: OutcomeRecord): Line => ({ outcome });
export function rowLine({ table, row }: AnyRow): Line {
  const { tenant_id: _tenant, ...columns } = row;
  return { table, row: columns };
}

/** Counts the lines and digests them, each with all that came before it. */
export class LineDigest {
  readonly #digestOf: (text: string) => string;
  #digest = '';
  #lines = 0;

  constructor(digestOf: (text: string) => string) {
    this.#digestOf = digestOf;
  }

  add(line: Line): Line {
    this.#digest = this.#digestOf(this.#digest + canonicalJson(line));
    this.#lines += 1;
    return line;
  }

  endLine = (): Line => ({ end: { lines: this.#lines, digest: this.#digest } });
}

/** What a file holds, its shapes not yet checked: rows have the tenant that imports them. */
export interface ScopeFile {
  readonly header: ScopeHeader;
  readonly journal: readonly unknown[];
  readonly rows: readonly { readonly table: unknown; readonly row: object }[];
  readonly outcomes: readonly unknown[];
  /** False for format 1. */
  readonly hasJournal: boolean;
}

const invalid = (message: string, fix = 'Import an export that was not edited.') =>
  new ContextEngineError('WRITE.INVALID', { message: `${message} Nothing was written.`, fix });

/**
 * Reads every line before anything is judged; what is judged is a copy. Several exports follow one
 * another: each begins behind the last line of the one before.
 */
export async function readScopeFiles(
  lines: AsyncIterable<unknown>,
  by: { readonly tenant: string; readonly digestOf: (text: string) => string },
): Promise<readonly [ScopeFile, ...ScopeFile[]]> {
  const files: ScopeFile[] = [];
  let reading: ScopeReading | null = null;
  for await (const given of lines) {
    const line = copyOf(given);
    if (reading === null || (reading.isEnded && line['format'] !== undefined)) {
      if (reading) files.push(reading.file());
      reading = new ScopeReading(parseHeader(line), by);
    } else reading.add(line);
    reading.digest.add(line);
  }
  if (reading === null)
    throw invalid('The import is empty.', 'Pass what `contextengine export` wrote.');
  const [first, ...more] = [...files, reading.file()];
  return [first ?? reading.file(), ...more];
}

class ScopeReading {
  readonly digest: LineDigest;
  readonly #header: Header;
  readonly #tenant: string;
  readonly #journal: unknown[] = [];
  readonly #rows: { readonly table: unknown; readonly row: object }[] = [];
  readonly #outcomes: unknown[] = [];
  isEnded = false;

  constructor(
    header: Header,
    by: { readonly tenant: string; readonly digestOf: (text: string) => string },
  ) {
    this.#header = header;
    this.#tenant = by.tenant;
    this.digest = new LineDigest(by.digestOf);
  }

  add(line: Line): void {
    const { hasJournal } = this.#header;
    if (this.isEnded) throw invalid('A line follows the last one.');
    if (isOnly(line, 'table', 'row')) this.#rows.push(rowOf(line, this.#tenant));
    else if (hasJournal && isOnly(line, 'journal')) this.#journal.push(line['journal']);
    else if (hasJournal && isOnly(line, 'outcome')) this.#outcomes.push(line['outcome']);
    else if (hasJournal && isOnly(line, 'end')) {
      if (canonicalJson(line) !== canonicalJson(this.digest.endLine()))
        throw invalid('The lines are not those that its last line counts and digests.');
      this.isEnded = true;
    } else throw invalid(`A line has \`${shown(Object.keys(line))}\`.`);
  }

  file(): ScopeFile {
    const [header, journal, rows, outcomes] = [
      this.#header,
      this.#journal,
      this.#rows,
      this.#outcomes,
    ];
    const { hasJournal, isByVersion, usageHead } = header;
    if (hasJournal && !this.isEnded)
      throw invalid('The import has no last line: it was cut off.', 'Export the scope again.');
    if (usageHead !== outcomes.length)
      throw invalid(`The import has \`${outcomes.length}\` outcomes of \`${usageHead}\`.`);
    if (isByVersion) return { header, journal, rows, outcomes, hasJournal };
    const entries = journal.map((entry) =>
      typeof entry === 'object' && entry !== null ? { ...entry, caused_by: null } : entry,
    );
    const lineage = withVersionLineage(rows, journal);
    return { header, journal: entries, rows: lineage, outcomes, hasJournal };
  }
}

interface Header extends ScopeHeader {
  readonly hasJournal: boolean;
  readonly isByVersion: boolean;
}

/** As JSON has it: no getters, no object that its maker can change after it was judged. */
function copyOf(line: unknown): Line {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(line));
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy };
  } catch {
    // Whatever it is, it is refused below.
  }
  throw invalid(`A line is \`${shown(line)}\`, not an object of JSON.`);
}

const isOnly = (line: Line, ...fields: readonly string[]): boolean => {
  const keys = Object.keys(line);
  return keys.length === fields.length && fields.every((field) => keys.includes(field));
};

function parseHeader(line: Line): Header {
  const { format, scope_block_uuid: scope, head, usage_head: usageHead } = line;
  const isByVersion = format === SCOPE_FORMAT;
  const hasJournal = isByVersion || format === FORMAT_BY_ROOT;
  if (!hasJournal && format !== FORMAT_WITHOUT_JOURNAL)
    throw invalid(
      `The first line says that the format is \`${shown(format)}\`.`,
      `Pass what \`contextengine export\` wrote (\`${SCOPE_FORMAT}\`), with this version or ` +
        'an earlier one.',
    );
  const fields = ['format', 'scope_block_uuid', 'head'];
  if (!isOnly(line, ...fields, ...(hasJournal ? ['usage_head'] : [])))
    throw invalid(`The first line has \`${shown(Object.keys(line))}\`.`);
  if (!isCount(head)) throw invalid(`The head is \`${shown(head)}\`.`);
  if (hasJournal && !isCount(usageHead))
    throw invalid(`The usage head is \`${shown(usageHead)}\`.`);
  return {
    scope: parseUuid(scope, 'scope_block_uuid'),
    head,
    usageHead: isCount(usageHead) ? usageHead : 0,
    hasJournal,
    isByVersion,
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** A row of format 1 names the tenant that it was exported from. */
function rowOf({ table, row }: Line, tenant: string): ScopeFile['rows'][number] {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw invalid(`A row is \`${shown(row)}\`.`);
  return { table, row: { ...row, tenant_id: tenant } };
}
