/**
 * The public types, held by the compiler: right calls compile, wrong ones are refused. Nothing here
 * runs.
 */
import type {
  ComposeRequest,
  Composition,
  ContextEngine,
  ErasureCertificate,
  ErrorCode,
  FactRecord,
  PermissionProfile,
  Proposal,
  ScopeUuid,
} from '../../src/index.ts';
import { composeBlockContext } from '../../src/index.ts';

declare const sessionUuid: string;
declare const latestMessage: string;
declare const agentProfile: PermissionProfile;

/** The call of the seed, word for word. */
export async function theCallOfTheSeed(): Promise<Composition> {
  const ctx = await composeBlockContext({
    scope_block_uuid: sessionUuid,
    intent: 'follow_up', // engine selects layers from this
    query: latestMessage, // for the semantic layer
    permission_profile: agentProfile, // T1/T2/T3 enforcement
    trace: false,
  });
  return ctx;
}

const minimal = {
  scope_block_uuid: sessionUuid,
  intent: 'fact',
  query: '',
  permission_profile: agentProfile,
};

export const everyOption: ComposeRequest = {
  ...minimal,
  trace: true,
  as_of: new Date('2026-03-01T09:00:00Z'),
  recorded_as_of: '2026-03-01T09:00:00Z',
  inputs: { product: 'Lamp', count: 3, urgent: true },
  manifest: 'chat-session@3',
  model: 'gpt-4o',
  include_scopes: [sessionUuid],
  approval: 'x',
  deadline_ms: 500,
  signal: new AbortController().signal,
  after: [],
  time_zone: 'Europe/Madrid',
};

// @ts-expect-error the scope is required
export const noScope: ComposeRequest = {
  intent: 'fact',
  query: '',
  permission_profile: agentProfile,
};
// @ts-expect-error the intent is required
export const noIntent: ComposeRequest = {
  scope_block_uuid: sessionUuid,
  query: '',
  permission_profile: agentProfile,
};
// @ts-expect-error the query is required, though it may be empty
export const noQuery: ComposeRequest = {
  scope_block_uuid: sessionUuid,
  intent: 'fact',
  permission_profile: agentProfile,
};
// @ts-expect-error the profile is required: there is no anonymous call
export const noProfile: ComposeRequest = {
  scope_block_uuid: sessionUuid,
  intent: 'fact',
  query: '',
};
// @ts-expect-error the names are those of the wire
export const camelCase: ComposeRequest = { ...minimal, deadlineMs: 500 };
// @ts-expect-error absent, not undefined
export const undefinedOption: ComposeRequest = { ...minimal, model: undefined };

const profile: PermissionProfile = { principal: 'a', tenant: 't', kind: 'agent', scopes: '*' };
// @ts-expect-error tiers are T1, T2, T3 and excluded
export const unknownTier: PermissionProfile = { ...profile, tiers: { writes: 'T4' } };
// @ts-expect-error a principal is a human, an agent or a service
export const unknownKind: PermissionProfile = { ...profile, kind: 'robot' };
// @ts-expect-error the codes are a closed list
export const unknownCode: ErrorCode = 'MANIFEST.NOT_A_CODE';

declare const bookScope: ScopeUuid<'book'>;
/** A scope id bound to its type is accepted where any scope is. */
export const boundScope: ComposeRequest = { ...minimal, scope_block_uuid: bookScope };
// @ts-expect-error a book is not a chat session
export const otherScope: ScopeUuid<'chat_session'> = bookScope;

export function whatComesBack(composition: Composition): readonly unknown[] {
  const text: string = composition.text;
  const used: number = composition.tokens.used;
  const roles: readonly ('system' | 'user' | 'assistant' | 'tool')[] = composition
    .messages('openai')
    .map((message) => message.role);
  const cached = composition
    .messages('anthropic')
    .system.map((block) => block.cache_control?.type satisfies 'ephemeral' | undefined);
  // @ts-expect-error not a provider that messages are made for
  composition.messages('smoke-signals');
  // @ts-expect-error a composition is read, never written
  composition.text = 'other';
  // @ts-expect-error the trace may be absent
  const stages = composition.trace.stages;
  return [text, used, roles, cached, stages];
}

export async function theEngineIsDisposable(make: () => Promise<ContextEngine>): Promise<string> {
  await using engine = await make();
  const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
  await engine.append(scope_block_uuid, [{ role: 'user', content: 'Hello' }]);
  const composition = await engine.composeBlockContext({ ...minimal, scope_block_uuid });
  return composition.composition_id;
}

export async function aNewScopeKnowsItsType(
  engine: ContextEngine,
): Promise<ScopeUuid<'chat_session'>> {
  const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
  // @ts-expect-error a chat session is not a book
  const book: ScopeUuid<'book'> = scope_block_uuid;
  return book === undefined ? sessionUuid : scope_block_uuid;
}

/** What methods return has a name to pass it on by. */
export async function recordsByName(engine: ContextEngine) {
  const fact: FactRecord = await engine.facts.get(sessionUuid);
  const proposals: readonly Proposal[] = await engine.approvals.list();
  const certificates: readonly ErasureCertificate[] = await engine.erasure.erase(null);
  return { fact, proposals, certificates };
}
