import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { addFact, addScope, day, factContent, WRITER } from '../../src/conformance/make.ts';
import type { FactRow } from '../../src/model/block.ts';
import { type Instant, parseTenant, parseUuid, toInstant } from '../../src/model/ids.ts';
import { itemAttributes } from '../../src/pipeline/item-text.ts';

const tenant = parseTenant('acme');
const scope = parseUuid('0190a2b4-0000-7000-8000-000000000001', 'scope');
const uuid = parseUuid('0190a2b4-1111-7222-8333-444455556666', 'uuid');

async function storedFact(): Promise<FactRow> {
  const authority = referenceAuthority();
  const operations = [
    addScope(scope),
    addFact({ scope, uuid }, factContent('Oslo', { confidence: 0.9, provenance: { source_id: 'adr-7' } })),
  ];
  await authority.write({ tenant, writer: WRITER, operations, recorded_at: day(0) });
  const { rows } = await authority.read({ kind: 'scan', tenant, table: 'memory_open_set', position: [{ scope, head: 9 }], limit: 9 });
  const [found] = rows;
  if (found?.table !== 'memory_open_set') throw new Error('the fact is not there');
  return found.row;
}

describe('itemAttributes', () => {
  const shown = (row: FactRow) => itemAttributes({ kind: 'semantic' }, { table: 'memory_open_set', row }).attributes;

  it('gives every item its source, a short id, its confidence and its time', async () => {
    expect(shown(await storedFact())).toEqual({ source: 'adr-7', id: '444455556666', confidence: '0.9', time: '2026-01-01' });
  });

  it('shows whole the ids of which the last group is the machine’s', async () => {
    const ofMachine = parseUuid('0190a2b4-1111-1222-8333-444455556666', 'uuid');
    expect(shown({ ...(await storedFact()), root_uuid: ofMachine })['id']).toBe(ofMachine);
  });

  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-03-01'],
    ['2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.001Z'],
    ['2026-03-01T09:30:00.000Z', '2026-03-01T09:30Z'],
    ['2026-03-01T00:30:00.000Z', '2026-03-01T00:30Z'],
    ['2026-03-01T09:30:05.000Z', '2026-03-01T09:30:05Z'],
    ['2026-03-01T09:30:05.250Z', '2026-03-01T09:30:05.250Z'],
  ])('shows the time %s as %s, which is the same instant', async (time, form) => {
    const row: FactRow = { ...(await storedFact()), valid_from: time as Instant };
    expect(shown(row)['time']).toBe(form);
    expect(toInstant(Date.parse(form))).toBe(time);
  });
});
