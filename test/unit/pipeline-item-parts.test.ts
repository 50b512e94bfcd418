import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { itemParts } from '../../src/compose/item-parts.ts';
import {
  addFact,
  addScope,
  day,
  factContent,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import type { FactRow, Provenance } from '../../src/model/block.ts';
import { parseTenant, parseUuid } from '../../src/model/ids.ts';
import type { RenderVersion } from '../../src/model/render-version.ts';

const tenant = parseTenant('acme');
const scope = parseUuid('0190a2b4-0000-7000-8000-000000000001', 'scope');
const uuid = parseUuid('0190a2b4-1111-7222-8333-444455556666', 'uuid');

async function storedFact(): Promise<FactRow> {
  const authority = referenceAuthority();
  const operations = [
    addScope(scope),
    addFact(
      { scope, uuid },
      factContent('Oslo', { confidence: 0.9, provenance: { source_id: 'adr-7' } }),
    ),
  ];
  await authority.write({ tenant, writer: WRITER, operations, recorded_at: day(0) });
  const { rows } = await authority.read({
    kind: 'scan',
    tenant,
    table: 'memory_open_set',
    position: [{ scope, head: 9 }],
    limit: 9,
  });
  const [found] = rows;
  if (found?.table !== 'memory_open_set') throw new Error('the fact is not there');
  return found.row;
}

describe('itemParts', () => {
  const shown = (row: FactRow) =>
    itemParts({ kind: 'open_set' }, { table: 'memory_open_set', row });

  it('says of an item what is not as usual', async () => {
    const row = await storedFact();
    const date = row.valid_from.slice(0, 7);
    expect(shown(row)).toEqual({
      author: null,
      role: null,
      notes: ['confidence 0.9'],
      group: { date, source: 'adr-7' },
    });
    expect(shown({ ...row, confidence: 1, provenance: {} })).toMatchObject({
      notes: [],
      group: { date },
    });
  });

  it('shows a source that a reader can use, and as it was where a receipt is older', async () => {
    const row = await storedFact();
    const from = (source_id: string, version?: RenderVersion) => {
      const item = {
        table: 'memory_open_set',
        row: { ...row, provenance: { source_id } },
      } as const;
      return itemParts({ kind: 'open_set' }, item, version).group.source;
    };
    expect(from('adr-7')).toBe('adr-7');
    expect(from(`memory://${uuid}`)).toBe(`memory://${uuid}`);
    expect(from(uuid)).toBeUndefined();
    expect(from(uuid.toUpperCase())).toBeUndefined();
    expect(from(uuid, 7)).toBe(uuid);
  });

  it('names the subject where the text does not', async () => {
    const row: FactRow = { ...(await storedFact()), confidence: 1, subject: 'Helena' };
    expect(shown({ ...row, content: 'prefers tabs' }).notes).toEqual(['about Helena']);
    expect(shown({ ...row, content: 'helena prefers tabs' }).notes).toEqual([]);
    const of = (subject: string, content: string) => shown({ ...row, subject, content }).notes;
    expect(of('helena_berg', 'Helena Berg prefers tabs')).toEqual([]);
    expect(of('exports', 'An export runs at two.')).toEqual([]);
    expect(of('gas', 'The ga is off.')).toEqual(['about gas']);
    const fact = { ...row, subject: 'helena_berg', content: 'Helena Berg prefers tabs' };
    expect(
      itemParts({ kind: 'open_set' }, { table: 'memory_open_set', row: fact }, 11).notes,
    ).toEqual(['about helena_berg']);
  });

  it('marks a rule that no person stands behind', async () => {
    const stored: FactRow = { ...(await storedFact()), confidence: 1, subject: null };
    const rule = (provenance: Provenance) => {
      const row = { ...stored, provenance };
      return itemParts({ kind: 'procedures' }, { table: 'memory_open_set', row }).notes;
    };
    expect(rule({ writer_kind: 'human', source_class: 'model' })).toEqual(['unreviewed']);
    expect(rule({ writer_kind: 'agent', source_class: 'user' })).toEqual(['unreviewed']);
    expect(rule({ source_class: 'user' })).toEqual(['unreviewed']);
    const model = { writer_kind: 'agent', source_class: 'model' } as const;
    expect(rule({ ...model, approver_kind: 'human' })).toEqual([]);
    expect(rule({ ...model, approver_kind: 'service' })).toEqual(['unreviewed']);
    for (const writer_kind of ['human', 'service'] as const) {
      expect(rule({ writer_kind, source_class: 'user' })).toEqual([]);
      expect(rule({ writer_kind })).toEqual([]);
    }
  });
});
