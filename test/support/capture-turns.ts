/** Turns of a person, and the settings of the stages of capture that read them. */
import { LAYER_KIND_NAMES } from '../../src/layers/index.ts';
import type { BlockRow } from '../../src/model/block.ts';
import { type Instant, parseInstant, parseTenant, parseUuid } from '../../src/model/ids.ts';

/** The minute of the `n`th turn. */
export const at = (n: number): Instant =>
  parseInstant(`2026-05-20T10:${String(n).padStart(2, '0')}:00.000Z`, 'at');

export function turnOf(content: string, n = 0, role = 'user'): BlockRow {
  const last = String(n + 1).padStart(12, '0');
  const uuid = parseUuid(`00000000-0000-4000-8000-${last}`, 'uuid');
  return {
    tenant_id: parseTenant('t'),
    uuid,
    root_uuid: uuid,
    scope_uuid: parseUuid('00000000-0000-4000-9000-000000000002', 'uuid'),
    valid_from: at(n),
    valid_until: null,
    closed_seq: null,
    recorded_seq: n + 1,
    retired_seq: null,
    superseded_by: null,
    recut_of: null,
    cause: null,
    status: 'live',
    operation: 'ADD',
    parent_uuid: null,
    block_type: 'turn',
    is_scope: false,
    role,
    author: 'Ada',
    occurred_at: at(n),
    title: null,
    content,
    tags: [],
    metadata: {},
    provenance: {},
  };
}

export const gating = { layerNames: new Set<string>(LAYER_KIND_NAMES), never: [] };
export const extracting = { collections: [], timeZone: 'UTC', mostPerTurn: 24 };
