/** A scan from its beginning to its end. */
import type { AnyRow } from '../model/block.ts';
import type { Connection, ReadRequest, ReadResult } from './contract.ts';

type Scan = Omit<Extract<ReadRequest, { readonly kind: 'scan' }>, 'kind' | 'cursor'>;

/** Page by page, each of at most `limit` rows; the last one may be empty. */
export async function* scanPages(
  reader: Pick<Connection, 'read'>,
  scan: Scan,
): AsyncGenerator<readonly AnyRow[]> {
  let cursor: string | null = null;
  do {
    const page: ReadResult = await reader.read({
      ...scan,
      kind: 'scan',
      ...(cursor !== null && { cursor }),
    });
    yield page.rows;
    cursor = page.cursor;
  } while (cursor !== null);
}
