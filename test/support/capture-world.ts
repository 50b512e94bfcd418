/** Capture over an authority of the test's own: the oracle, or one that fails where it is told to. */
import { createHash } from 'node:crypto';
import { type CaptureResult, captureScope } from '../../src/capture/capture.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { StructuredModel } from '../../src/inference/structured-model.ts';
import { wordEmbedder } from '../../src/inference/word-embedder.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import type { BlockContent } from '../../src/model/block.ts';
import {
  type Instant,
  parseInstant,
  parseTenant,
  parseUuid,
  type Uuid,
} from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { PermissionProfile } from '../../src/model/permission.ts';
import { createPermissionDoor } from '../../src/permission/door.ts';
import { writeOperations } from '../../src/write/write.ts';

export const TENANT = parseTenant('local');
/** What it captures waits in its own name. */
export const AGENT: PermissionProfile = {
  principal: 'agent',
  tenant: 'local',
  kind: 'agent',
  scopes: '*',
  tiers: { writes: 'T2' },
};
const PROFILE: PermissionProfile = {
  principal: 'local',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
};
const manifests = loadManifests({ paths: [new URL('../../manifests', import.meta.url).pathname] });
const embedder = wordEmbedder();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const uuidOf = (number: number): Uuid =>
  parseUuid(`00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`, 'id');
export const USER = uuidOf(0xa);
export const SESSION = uuidOf(0xb);
/** Another conversation of the same person. */
export const OTHER_SESSION = uuidOf(0xd);
const START = Date.parse('2026-03-01T09:00:00Z');
export const timeOf = (minutes: number): Instant => parseInstant(START + minutes * 60_000, 'at');

const content = (more: Partial<BlockContent>, at: Instant): BlockContent => ({
  parent_uuid: null,
  block_type: 'turn',
  is_scope: false,
  role: null,
  author: null,
  occurred_at: at,
  title: null,
  content: '',
  tags: [],
  metadata: {},
  provenance: { writer_kind: 'human' },
  ...more,
});
const block = (
  scope: Uuid,
  uuid: Uuid,
  { minute = 0, ...more }: Partial<BlockContent> & { readonly minute?: number },
): Operation => ({
  operation: 'ADD',
  table: 'blocks',
  scope,
  uuid,
  content: content(more, timeOf(minute)),
  valid_from: timeOf(minute),
});

export interface Said {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export async function makeWorld(authority: Authority): Promise<void> {
  await authority.ensureSpace(embedder.space);
  await writeRaw(authority, [
    block(USER, USER, { block_type: 'user', is_scope: true }),
    ...session(SESSION, uuidOf(0xc)),
  ]);
}

export const makeOtherSession = async (authority: Authority): Promise<void> =>
  void (await writeRaw(authority, session(OTHER_SESSION, uuidOf(0xe))));

const session = (scope: Uuid, link: Uuid): readonly Operation[] => [
  block(scope, scope, { block_type: 'chat_session', is_scope: true }),
  {
    operation: 'ADD',
    table: 'context_links',
    scope,
    uuid: link,
    valid_from: timeOf(0),
    content: {
      link_type: 'inherits',
      from_uuid: scope,
      to_uuid: USER,
      ordinal: 0,
      weight: 1,
      metadata: {},
    },
  },
];

export const writeRaw = (authority: Authority, operations: readonly Operation[]) =>
  authority.write({
    tenant: TENANT,
    operations,
    writer: { principal: 'local', on_behalf_of: null, writer: 'test' },
    recorded_at: timeOf(0),
  });

export const turnOf = (number: number): Uuid => uuidOf(0x1000 + number);

/** Turns of one minute each, from a number on; in the session, or in another scope. */
export async function say(
  authority: Authority,
  said: readonly Said[],
  at: { readonly from?: number; readonly scope?: Uuid; readonly minute?: number } = {},
): Promise<void> {
  const { from = 1, scope = SESSION, minute = from } = at;
  const first = scope === SESSION ? 0x1000 : 0x2000;
  const operations = said.map(({ role, text }, index) =>
    block(scope, uuidOf(first + from + index), {
      role,
      author: role === 'user' ? 'Ada' : null,
      content: text,
      minute: minute + index,
    }),
  );
  if (operations.length > 0) await writeRaw(authority, operations);
}

let made = 0x100000;
export async function capture(
  authority: Authority,
  {
    model = null,
    minute = 100_000,
    scope = SESSION,
    profile = PROFILE,
    mostBatches,
  }: {
    readonly model?: StructuredModel | null;
    readonly minute?: number;
    readonly scope?: Uuid;
    readonly profile?: PermissionProfile;
    readonly mostBatches?: number;
  } = {},
): Promise<CaptureResult> {
  const newId = (): Uuid => uuidOf((made += 1));
  const now = (): Instant => timeOf(minute);
  const permission = createPermissionDoor({
    authority,
    manifests: manifests.manifests,
    digestOf: sha256,
    now,
    newId,
    owner: 'local',
  });
  const parts = { authority, permission, embedder, manifests, newId, writer: 'test' };
  return captureScope(
    { scope, timeZone: 'UTC', ...(mostBatches !== undefined && { mostBatches }) },
    {
      ...parts,
      isServer: true,
      digestOf: sha256,
      model,
      now,
      profile,
      write: (call) => writeOperations(call, parts),
    },
  );
}

/** What is remembered of the user and the session, but for the ids that a write draws itself. */
export async function memoryOf(authority: Authority): Promise<readonly unknown[]> {
  const { position } = await authority.heads(TENANT, [USER, SESSION]);
  const rows: unknown[] = [];
  for (const table of ['memory_open_set', 'memory_schema_typed'] as const) {
    const scan = { kind: 'scan', tenant: TENANT, table, position, limit: 1000 } as const;
    for (const { row } of (await authority.read(scan)).rows)
      rows.push({
        table,
        root: row.root_uuid,
        scope: row.scope_uuid,
        said: 'content' in row ? row.content : 'value' in row ? row.value : null,
        from: row.valid_from,
        until: row.valid_until,
        isBelieved: row.retired_seq === null,
      });
  }
  const proposals = await authority.listProposals(
    TENANT,
    { state: 'pending', limit: 1000 },
    { all: true, uuids: new Set() },
  );
  for (const { action } of proposals)
    rows.push({
      proposed: action.operations.map((each) => ('content' in each ? each.content : null)),
    });
  return rows.map((row) => JSON.stringify(row)).sort();
}

export const ALL_SCOPES = { all: true, uuids: new Set<Uuid>() } as const;

/** The proposals that wait, by what their facts say. */
export const waitingOf = async (authority: Authority): Promise<ReadonlyMap<string, Uuid>> => {
  const asked = { state: 'pending', limit: 100 } as const;
  const proposals = await authority.listProposals(TENANT, asked, ALL_SCOPES);
  return new Map(
    proposals.flatMap(({ proposal_uuid: id, action }) =>
      action.operations.flatMap((each) =>
        'content' in each && 'content' in each.content ? [[each.content.content, id]] : [],
      ),
    ),
  );
};
