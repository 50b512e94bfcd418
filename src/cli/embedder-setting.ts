/** The embedder as a setting names it: a word, or in the config file an object with the options of a provider in snake_case. */
import { resolve } from 'node:path';
import { ContextEngineError, type EngineOptions } from '../index.ts';

type Choice = NonNullable<EngineOptions['embedder']>;
type Transformers = Extract<Choice, { readonly provider: 'transformers' }>;
export type EmbedderSetting =
  | Extract<Choice, string>
  | { readonly provider: 'openai'; readonly model: string; readonly dimensions: number; readonly baseUrl?: string }
  | Transformers;

type Fields = Readonly<Record<string, unknown>>;

const FIX =
  'Use `builtin`, `off` or, in the config file, `{ "provider": "openai", "model": …, "dimensions": …, "base_url": … }` (the key comes from OPENAI_API_KEY) or ' +
  '`{ "provider": "transformers", "model": …, "dimensions": …, "local_path": …, "dtype": …, "pooling": …, "query_prefix": …, "document_prefix": … }`.';

/** Throws `CONFIG.INVALID_VALUE`; which values an option may have is judged when the engine is made. Paths are relative to `cwd`. */
export function parseEmbedder(value: unknown, { origin, cwd }: { readonly origin: string; readonly cwd: string }): EmbedderSetting {
  if (value === 'builtin' || value === 'off') return value;
  const fields: Fields = typeof value === 'object' && value !== null ? { ...value } : {};
  const setting =
    fields['provider'] === 'openai' ? openai(fields) : fields['provider'] === 'transformers' ? transformers(fields, cwd) : null;
  if (setting) return setting;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`embedder (${origin})\` is \`${JSON.stringify(value) ?? String(value)}\`.`,
    fix: FIX,
    where: { field: `embedder (${origin})` },
  });
}

function openai({ provider: _provider, model, dimensions, base_url: baseUrl, ...rest }: Fields): EmbedderSetting | null {
  if (!isText(model) || !isWhole(dimensions) || !isTextOrAbsent(baseUrl) || Object.keys(rest).length > 0) return null;
  return { provider: 'openai', model, dimensions, ...(baseUrl !== undefined && { baseUrl }) };
}

function transformers({ provider: _provider, model, dimensions, ...given }: Fields, cwd: string): EmbedderSetting | null {
  const { local_path: localPath, dtype, pooling, query_prefix: queryPrefix, document_prefix: documentPrefix, ...rest } = given;
  if (!isText(model) || !isWhole(dimensions) || !isTextOrAbsent(localPath) || Object.keys(rest).length > 0) return null;
  if (!isTextOrAbsent(dtype) || !isTextOrAbsent(pooling) || !isTextOrAbsent(queryPrefix) || !isTextOrAbsent(documentPrefix)) return null;
  return {
    provider: 'transformers',
    model,
    dimensions,
    ...(localPath !== undefined && { localPath: resolve(cwd, localPath) }),
    // Any text: the provider refuses what is none of its own, and names those.
    ...(dtype !== undefined && { dtype: dtype as NonNullable<Transformers['dtype']> }),
    ...(pooling !== undefined && { pooling: pooling as NonNullable<Transformers['pooling']> }),
    ...(queryPrefix !== undefined && { queryPrefix }),
    ...(documentPrefix !== undefined && { documentPrefix }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || isText(value);
const isWhole = (value: unknown): value is number => Number.isInteger(value);
