/** The schemas of an engine's options, of principals and profiles, and of what asks about them. */
import type { AuditHead } from '../model/audit.ts';
import { MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import { PERMISSION_KEYS, type PermissionProfile, TIERS } from '../model/permission.ts';
import type { PreviewQuestion } from '../model/preview.ts';
import { PROPOSAL_STATES } from '../model/proposal.ts';
import { ANYTHING, type FieldSchema, hex, type InputSchema, input, UUID, whole } from './schema.ts';

const INVALID_PROFILE = 'PERMISSION.INVALID_PROFILE';
/** The journal, receipts and the audit hold it. */
const PRINCIPAL: FieldSchema = {
  type: 'string',
  pattern: '[\\s\\S]',
  maxChars: MAX_CHARS.principal,
  storable: true,
  fix:
    `Name the principal in 1 to ${MAX_CHARS.principal} characters, without NUL or half a ` +
    'surrogate pair.',
};
/** What a profile says of a principal, and what is stored of it. */
const RIGHTS = {
  principal: PRINCIPAL,
  kind: { enum: ['human', 'agent', 'service'], fix: 'Use `human`, `agent` or `service`.' },
  tiers: {
    type: 'object',
    what: 'table of `tiers`',
    plain: true,
    properties: Object.fromEntries(
      PERMISSION_KEYS.map((key) => [key, { enum: TIERS, fix: `Use ${TIERS.join(', ')}.` }]),
    ),
    additionalProperties: false,
  },
  scopes: {
    type: ['string', 'array'],
    pattern: '^\\*$',
    items: UUID,
    maxItems: MAX_COUNT.scopes,
    fix:
      `List at most ${MAX_COUNT.scopes} scope uuids that the principal holds, or \`'*'\` for ` +
      'all of the tenant.',
  },
} as const satisfies Readonly<Record<string, FieldSchema>>;
const CLAIM = { ...RIGHTS, tenant: { tenant: true } } as const;

const MAX_PAGE = 1000;
const limit = whole(1, MAX_PAGE, `Pass a whole number from 1 to ${MAX_PAGE}.`);
const PATHS_FIX = 'Pass the path of a file or folder, or a list of them.';
const callable = (field: string): FieldSchema => ({
  callable: true,
  fix: `Pass a function as \`${field}\`.`,
});
const NAME_OR_DIGEST: FieldSchema = { type: 'string', fix: 'Pass a name or digest as text.' };
const HEAD_FIX = 'Pass the `head` that an earlier check returned.';
const PUBLIC_KEY: FieldSchema = {
  ...hex(32, 'Pass the 32 bytes of an ed25519 public key in hexadecimal digits.'),
  publicKey: true,
};
const KEY_ID = hex(32, 'Pass the SHA-256 of the public key in hexadecimal digits.');

type EngineOption =
  | 'database'
  | 'manifests'
  | 'overrides'
  | 'mounts'
  | 'embeddingCache'
  | 'embedder'
  | 'extractor'
  | 'timeZone'
  | 'permission_profile'
  | 'authority'
  | 'clock'
  | 'newId';

export const ENGINE_SCHEMAS = {
  profile: input<PermissionProfile>(
    {
      what: 'permission profile',
      code: INVALID_PROFILE,
      shapeCode: INVALID_PROFILE,
      within: 'permission_profile',
    },
    {
      ...CLAIM,
      on_behalf_of: {
        type: 'object',
        what: 'profile in `on_behalf_of`',
        plain: true,
        properties: CLAIM,
        required: ['principal', 'kind', 'tenant', 'scopes'],
        additionalProperties: false,
      },
    },
    ['principal', 'kind', 'tenant', 'scopes'],
  ),
  principal: input<Pick<PermissionProfile, keyof typeof RIGHTS>>(
    { what: 'principal', code: INVALID_PROFILE },
    RIGHTS,
    ['principal', 'kind', 'scopes'],
  ),
  /** The options of `createContextEngine`. */
  engine_options: input<Readonly<Record<EngineOption, unknown>>>(
    { what: 'options', code: 'CONFIG.INVALID_VALUE' },
    {
      // A database, an embedder and a profile have schemas of their own.
      database: ANYTHING,
      embedder: ANYTHING,
      extractor: ANYTHING,
      timeZone: { type: 'string', fix: 'Pass an IANA name, such as `Europe/Berlin`.' },
      permission_profile: ANYTHING,
      manifests: {
        type: ['string', 'array'],
        items: { type: 'string', fix: PATHS_FIX },
        fix: PATHS_FIX,
      },
      overrides: { type: 'object', fix: 'Pass an object of paths and numbers.' },
      mounts: { type: 'object', fix: 'Pass an object of mounts by name.' },
      embeddingCache: {
        type: 'string',
        pattern: '^(database|off|rediss?://[^ ]+)$',
        fix: 'Use `database`, `off` or a `redis://` URL.',
      },
      authority: {
        callable: 'embedder_trusted',
        fix: "Pass `'embedder_trusted'` or a function that judges a claim.",
      },
      clock: callable('clock'),
      newId: callable('newId'),
    },
  ),
  /** Exactly one place. */
  database: {
    ...input<Readonly<Record<'dataDir' | 'url' | 'pool' | 'inMemory', unknown>>>(
      { what: 'database', code: 'CONFIG.INVALID_VALUE' },
      {
        dataDir: { type: 'string', notBlank: true },
        url: { type: 'string', notBlank: true },
        // Judged by what it can do: a pool of another copy of `pg` is one as well.
        pool: { methods: ['connect', 'query', 'on', 'off'] },
        inMemory: { enum: [true] },
      },
    ),
    minProperties: 1,
    maxProperties: 1,
  },
  migrate: input<Readonly<Record<'database' | 'dryRun' | 'firstPrincipal', unknown>>>(
    { what: 'request', code: 'CONFIG.INVALID_VALUE' },
    {
      database: ANYTHING,
      dryRun: { type: 'boolean', fix: 'Pass `true`, `false`, or leave it out.' },
      firstPrincipal: ANYTHING,
    },
  ),
  first_principal: input<Readonly<Record<'tenant' | 'principal' | 'public_key', string>>>(
    { what: 'first principal', code: 'CONFIG.INVALID_VALUE' },
    { tenant: { tenant: true }, principal: PRINCIPAL, public_key: PUBLIC_KEY },
    ['tenant', 'principal'],
  ),
  preview: input<PreviewQuestion>(
    { what: 'question', code: 'CONFIG.INVALID_VALUE' },
    { manifest: NAME_OR_DIGEST, working: NAME_OR_DIGEST, against: NAME_OR_DIGEST, last: limit },
    ['manifest', 'working', 'against'],
  ),
  audit_listing: input<{ readonly after?: number; readonly limit?: number }>(
    { what: 'listing', code: 'CONFIG.INVALID_VALUE' },
    {
      after: whole(
        0,
        Number.MAX_SAFE_INTEGER,
        'Pass the number of an entry, 0 for the first page.',
      ),
      limit,
    },
  ),
  redaction_listing: input<{ readonly limit?: number }>(
    { what: 'listing', code: 'CONFIG.INVALID_VALUE' },
    { limit },
  ),
  audit_head: input<AuditHead>(
    { what: 'head', code: 'CONFIG.INVALID_VALUE' },
    { seq: whole(1, Number.MAX_SAFE_INTEGER, HEAD_FIX), digest: hex(32, HEAD_FIX) },
    ['seq', 'digest'],
  ),
  proposal_listing: input<{
    readonly state?: unknown;
    readonly limit?: number;
    readonly after?: string;
  }>(
    { what: 'listing', code: 'CONFIG.INVALID_VALUE' },
    {
      state: {
        enum: [...PROPOSAL_STATES, null],
        fix: `Use ${PROPOSAL_STATES.join(', ')}, or null for all.`,
      },
      limit,
      after: UUID,
    },
  ),
  approval_signature: input<{ readonly key_id: string; readonly signature: string }>(
    { what: 'signed', code: 'CONFIG.INVALID_VALUE' },
    {
      key_id: KEY_ID,
      signature: hex(64, 'Pass the 64 bytes of the signature in hexadecimal digits.'),
    },
    ['key_id', 'signature'],
  ),
  public_key: input<{ readonly public_key: string }>(
    { what: 'key', code: 'CONFIG.INVALID_VALUE' },
    {
      public_key: PUBLIC_KEY,
    },
    ['public_key'],
  ),
  key_name: input<{ readonly key_id: string }>(
    { what: 'key', code: 'CONFIG.INVALID_VALUE' },
    { key_id: { ...KEY_ID, fix: 'Pass a `key_id` of `principals.list`.' } },
    ['key_id'],
  ),
  principal_name: input<{ readonly principal: string }>(
    { what: 'principal', code: INVALID_PROFILE },
    { principal: PRINCIPAL },
    ['principal'],
  ),
} as const satisfies Readonly<Record<string, InputSchema>>;
