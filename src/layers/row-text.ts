/** How a row reads where its layer has no form of its own. */
import type { AnyRow, TypedRow } from '../model/block.ts';

export function rowText(item: AnyRow): string {
  switch (item.table) {
    case 'blocks':
    case 'subtree_summaries':
    case 'memory_open_set':
      return item.row.content;
    case 'memory_schema_typed':
      return `${item.row.subject}.${item.row.property} = ${valueText(item.row)}`;
    case 'context_links':
      return '';
  }
}

const valueText = ({ value }: TypedRow): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.join(', ')
      : JSON.stringify(value);
