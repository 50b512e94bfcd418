/** `ingest`: the adapters and the writer of the command line, by the engine's own methods. */
import { cwd } from 'node:process';
import { ContextEngineError } from '../../codes/errors.ts';
import { throwIfAborted } from '../../cxri/deadline.ts';
import { type Instant, parseUuid, shown } from '../../model/ids.ts';
import { plainCopy } from '../../model/plain-copy.ts';
import { bindEngine } from '../bound-engine.ts';
import { checkCallOptions, optionsOf } from '../check-options.ts';
import type { ContextEngine } from '../context-engine.ts';
import type { IngestAnswer, IngestOptions, IngestSource } from './ingest-surface.ts';

const invalid = (message: string, fix: string, field: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', { message, fix, where: { field } });

/** Every call that it makes is one of the engine's own, under the profile of the call. */
export function createIngest(
  engine: () => Omit<ContextEngine, 'as'>,
  { now }: { readonly now: () => Instant },
): Pick<ContextEngine, 'ingest'> {
  return {
    ingest: async (scope, given, options) => {
      const uuid = parseUuid(scope, 'scope');
      const source = checkSource(plainCopy(given));
      const { onProgress, ...rest } = optionsOf(options);
      checkProgress(onProgress);
      const call = plainCopy(rest);
      checkCallOptions(options === undefined ? undefined : call);
      const profile = call.permission_profile;
      const isClaimed = 'permission_profile' in call;
      // A claim that is `undefined` is a claim that is missing: bindEngine refuses it.
      const bound = isClaimed
        ? bindEngine(engine(), profile as NonNullable<typeof profile>)
        : engine();
      return ingestAll(
        { engine: bound, scope: uuid, source, nowMs: Date.parse(now()) },
        rest,
        onProgress,
      );
    },
  };
}

interface Ingesting {
  readonly engine: Pick<
    ContextEngine,
    'history' | 'documents' | 'write' | 'remember' | 'setTyped' | 'scopes' | 'keyedDigests'
  >;
  readonly scope: string;
  readonly source: GivenFile | GivenText;
  readonly nowMs: number;
}

async function ingestAll(
  { engine, scope, source, nowMs }: Ingesting,
  { signal }: Pick<IngestOptions, 'signal'>,
  onProgress: IngestOptions['onProgress'],
): Promise<IngestAnswer> {
  // Loaded with the first call: most processes ingest nothing.
  const { checkSources, writeSource } = await import('../../ingest/write-source.ts');
  const [one, ...more] = await sourcesOf(source, nowMs);
  if (one === undefined || more.length > 0)
    throw invalid(
      `The source holds ${more.length + 1} conversations, and a scope holds one.`,
      'Ingest each of them into a scope of its own.',
      'source',
    );
  const tell = (phase: 'checking' | 'writing', records: number, total: number | null): void => {
    throwIfAborted('ingest', signal);
    onProgress?.({ phase, records, total });
  };
  const [total = 0] = await checkSources([one], (records) => tell('checking', records, null));
  const onRecord = (records: number) => tell('writing', records, total);
  return writeSource(one, { engine, scope, nowMs, onRecord });
}

function checkProgress(onProgress: unknown): void {
  if (onProgress === undefined || typeof onProgress === 'function') return;
  throw invalid(
    `\`onProgress\` is \`${shown(onProgress)}\`, not a function.`,
    'Pass a function, or leave it out.',
    'onProgress',
  );
}

const KINDS = ['jsonl', 'markdown', 'text', 'locomo', 'facts', 'scripts'] as const;
type GivenFile = Exclude<IngestSource, string | { readonly content: string }>;
type GivenText = Extract<IngestSource, { readonly content: string }>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function checkSource(given: IngestSource): GivenFile | GivenText {
  if (isText(given)) return { path: given };
  if (typeof given === 'object' && given !== null) {
    const isDated = !('date' in given) || given.date === undefined || isText(given.date);
    if ('content' in given && isText(given.content) && isText(given.name) && isDated) return given;
    const isKnown = (as: unknown): boolean => as === undefined || KINDS.some((name) => name === as);
    const isNamed = given.name === undefined || isText(given.name);
    if ('path' in given && isText(given.path) && isKnown(given.as) && isNamed) return given;
  }
  throw invalid(
    `The source is \`${shown(given)}\`.`,
    `Pass a path, \`{ path, as?, name? }\` with \`as\` of ${KINDS.join(', ')}, or \`{ name, content }\`.`,
    'source',
  );
}

async function sourcesOf(given: GivenFile | GivenText, nowMs: number) {
  if ('content' in given) {
    const { openText } = await import('../../ingest/documents.ts');
    return openText(given, nowMs);
  }
  const { openSource } = await import('../../ingest/open-source.ts');
  const { sources } = await openSource({
    // `-` is a file here: a library reads no standard input.
    path: given.path === '-' ? './-' : given.path,
    adapter: given.as,
    name: given.name,
    terminal: { cwd: cwd(), stdin: noInput() },
  });
  return sources;
}

async function* noInput(): AsyncGenerator<string> {}
