/**
 * The functions of the root. Each loads what it needs when it is first called: an import of the
 * package loads neither the engine nor a dependency (test/unit/root-import.test.ts). Bundlers leave
 * these imports alone, so that an application builds without the optional packages; where the
 * package itself was taken into the bundle, a call says so.
 */
import type { MigrateReport, MigrateRequest } from '../../connectors/index.ts';
import type { ComposeRequest, Composition } from '../model/composition.ts';
import type { ComposeCall, IntentOf, LayerOf } from '../model/manifest-register.ts';
import { bundledError } from './bundled-error.ts';
import type { ContextEngine, EngineOptions } from './context-engine.ts';

/** A file of ours that is missing; a package that is missing is another fault. */
const isLeftOut = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
  error.message.startsWith('Cannot find module');

async function loaded<T>(module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch (error) {
    throw isLeftOut(error) ? bundledError('the engine is', error) : error;
  }
}

/**
 * Opens the database, checks the manifests, and joins the parts. Rejects with a coded error;
 * nothing stays open then.
 */
export async function createContextEngine(options: EngineOptions = {}): Promise<ContextEngine> {
  const module = import(/* webpackIgnore: true */ /* turbopackIgnore: true */ './create-engine.ts');
  return (await loaded(module)).createContextEngine(options);
}

let defaultEngine: Promise<ContextEngine> | null = null;

/**
 * The one-line call: composes over a default engine, made at the first call from the environment.
 * It does not keep the process alive; {@link closeDefaultEngine} ends it early. Errors as of {@link
 * ContextEngine.composeBlockContext}.
 */
export async function composeBlockContext<
  S extends string,
  I extends IntentOf<S, M>,
  M extends string = never,
>(request: ComposeCall<S, M, I>): Promise<Composition<LayerOf<S, M, I>>>;
export async function composeBlockContext(request: ComposeRequest): Promise<Composition> {
  const engine = (defaultEngine ??= createContextEngine());
  // The next call tries again; an engine that was made meanwhile stays.
  engine.catch(() => {
    if (defaultEngine === engine) defaultEngine = null;
  });
  return (await engine).composeBlockContext(request);
}

/** Closes the engine behind the free function, if there is one. */
export async function closeDefaultEngine(): Promise<void> {
  const engine = defaultEngine;
  defaultEngine = null;
  await (await engine?.catch(() => null))?.close();
}

/**
 * Brings a database to this version's schema. Throws `MIGRATION.CHANGED` or `MIGRATION.FAILED`;
 * nothing of a failed file is kept.
 */
export async function migrateDatabase(request: MigrateRequest): Promise<MigrateReport> {
  const module = import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ '../../connectors/index.ts'
  );
  return (await loaded(module)).migrateDatabase(request);
}

/**
 * Loads the tokenizers of these models, and gives a function that counts a text for any of them. A
 * model whose tokenizer was not loaded is counted conservatively, never too low.
 *
 * @example
 * const countTokens = await createTokenCounter(['gpt-4o']);
 * countTokens('You help customers.', 'gpt-4o'); // 4
 */
export async function createTokenCounter(
  models: readonly string[],
): Promise<(text: string, model: string) => number> {
  const module = import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ '../budget/model-counter.ts'
  );
  return (await loaded(module)).createTokenCounter(models);
}
