/** What an import is judged by: the words of its rows, against those that were forgotten. */
import { ContextEngineError } from '../codes/errors.ts';
import type { AnyRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';

/** What somebody said in a row: the texts whose digests are kept when it is forgotten. */
export function wordsOfRow({ table, row }: AnyRow): readonly unknown[] {
  switch (table) {
    case 'blocks':
      return [row.content, row.title];
    case 'memory_open_set':
    case 'subtree_summaries':
      return [row.content];
    case 'memory_schema_typed':
      return [row.value];
    case 'context_links':
      return [];
  }
}

/** Which texts they are is not said, nor how many. */
export const textsForgotten = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message:
      `The import of scope \`${scope}\` holds what was forgotten in this tenant. ` +
      'Nothing was written.',
    fix: 'Export the scope anew where it was forgotten, or import it into another tenant.',
  });
