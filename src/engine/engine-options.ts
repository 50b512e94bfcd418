/** What `createContextEngine` takes, as types. */
import type { ApplicationPool, MountChoice } from '../../connectors/index.ts';
import type { EmbedderChoice } from '../inference/create-embedder.ts';
import type { ExtractorChoice } from '../inference/create-model.ts';
import type { PermissionProfile } from '../model/permission.ts';
import type { EmbeddingCacheChoice } from '../model/shared-level.ts';

/** Where the ledger lives. */
export type DatabaseOptions =
  /** Embedded, in this folder. */
  | { readonly dataDir: string }
  /** PostgreSQL 15+ with pgvector, migrated by `contextengine migrate`. */
  | { readonly url: string }
  /**
   * A `Pool` of `pg` that the application has: the same server, migrated. Its user may be any
   * member of `contextengine_app`; the engine works in transactions under that role, leaves nothing
   * on a session, and never ends the pool. Each read costs two round trips more than with `url`.
   */
  | { readonly pool: ApplicationPool }
  /** Embedded and gone at close. */
  | { readonly inMemory: true };

export interface EngineOptions {
  /**
   * Default: CONTEXTENGINE_DATABASE_URL, CONTEXTENGINE_DATA_DIR, `database_url` or `data_dir` of
   * `contextengine.config.json` in the working folder, else embedded in `.contextengine/`.
   */
  readonly database?: DatabaseOptions;
  /**
   * Files and folders. Default: CONTEXTENGINE_MANIFESTS, else `manifests` of
   * `contextengine.config.json`, else `manifests/` of the working folder if there, else those of
   * the package.
   */
  readonly manifests?: string | readonly string[];
  /**
   * Numbers of manifests, set from outside: `{ 'scoring.floor': 0.3,
   * 'chat-session:layers.semantic.top_k': 20 }`, clamped to the range of the schema. They lie over
   * those of CONTEXTENGINE_OVERRIDES (`scoring.floor=0.3, …`), both over the manifest.
   */
  readonly overrides?: Readonly<Record<string, number>>;
  /**
   * Default: CONTEXTENGINE_EMBEDDER, else `embedder` of `contextengine.config.json`, else
   * `builtin`. The `openai` provider without `apiKey` takes OPENAI_API_KEY.
   */
  readonly embedder?: EmbedderChoice;
  /**
   * What makes memory of turns: rules without a model (default), or a model behind any endpoint
   * that speaks OpenAI's protocol, whose findings all wait for a review. `extractor` of
   * `contextengine.config.json`; the key is OPENAI_API_KEY.
   */
  readonly extractor?: ExtractorChoice;
  /**
   * An IANA name, for the days of `yesterday` and `by Friday` where a capture names none. Default:
   * `time_zone` of `contextengine.config.json`, else UTC.
   */
  readonly timeZone?: string;
  /**
   * Who writes when a call names no profile. Default on an embedded database: the human `local` of
   * tenant `local`; else none.
   */
  readonly permission_profile?: PermissionProfile;
  /**
   * How a claim is judged: as the embedding process says it (default), or by your own function,
   * which may narrow it or throw.
   */
  readonly authority?:
    | 'embedder_trusted'
    | ((claim: PermissionProfile) => PermissionProfile | Promise<PermissionProfile>);
  /**
   * Where vectors are shared with other processes, under keyed digests: a table of the database
   * (default), a Redis by its URL (needs the package `redis`), or nowhere. `embedding_cache` of
   * `contextengine.config.json`. The built-in embedder shares none.
   */
  readonly embeddingCache?: EmbeddingCacheChoice;
  /** Projections that layers name as their `source`, by name. */
  readonly mounts?: Readonly<Record<string, MountChoice>>;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  readonly newId?: () => string;
}
