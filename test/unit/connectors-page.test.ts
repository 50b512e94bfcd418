/** docs/connectors.md states of each connector what it declares, and of no other ability. */
import { expect, it } from 'vitest';
import { LANCEDB_CAPABILITIES } from '../../connectors/lancedb/index.ts';
import { PGVECTOR_CAPABILITIES } from '../../connectors/pgvector/capabilities.ts';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import { CAPABILITIES } from '../../src/cxri/contract.ts';
import { readRepositoryFile } from '../support/source-files.ts';

it('the table of abilities is that of the connectors', async () => {
  await using reference = await createReferenceConnector().connect();
  const columns = [PGVECTOR_CAPABILITIES, LANCEDB_CAPABILITIES, reference.capabilities];
  const rows = CAPABILITIES.map((name) =>
    ['', `\`${name}\``, ...columns.map((able) => (able[name] ? 'yes' : 'no')), '']
      .join(' | ')
      .trim(),
  );
  const { text } = readRepositoryFile('docs/connectors.md');
  const table = text.split('\n').filter((line) => /^\| `\w+` \| (?:yes|no) \|/.test(line));
  expect(table).toEqual(rows);
});
