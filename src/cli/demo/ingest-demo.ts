/** The sample data into a fresh ledger, through the same adapters and writer as `ingest`. */
import { join } from 'node:path';
import type { ContextEngine } from '../../index.ts';
import { openSource } from '../../ingest/open-source.ts';
import { writeSource } from '../../ingest/write-source.ts';
import { formatMs } from '../table.ts';
import type { DemoFeatureName } from './features.ts';
import { DEMO_FEATURES } from './features.ts';

export type DemoScopes = Readonly<Record<DemoFeatureName, string>>;

export interface DemoIngest {
  readonly data: string;
  readonly nowMs: number;
}

/** Gives the scope of each feature, and a line for the table of each source. */
export async function ingestDemo(
  engine: ContextEngine,
  options: DemoIngest,
): Promise<{ readonly scopes: DemoScopes; readonly rows: readonly (readonly string[])[] }> {
  const rows: (readonly string[])[] = [];
  const write = async (
    path: string,
    scope: { readonly uuid: string; readonly title: string },
  ): Promise<void> => {
    rows.push(await writePath(engine, { ...options, path, scope }));
  };
  const project = await createScope(engine, { type: 'project', title: 'Harbor', inherits: [] });
  await write('documents', project);
  const entries: (readonly [DemoFeatureName, string])[] = [];
  for (const feature of DEMO_FEATURES) {
    const scope = await createScope(engine, {
      type: feature.scopeType,
      title: feature.title,
      inherits: feature.readsDocuments ? [project.uuid] : [],
    });
    for (const path of feature.data) await write(path, scope);
    entries.push([feature.name, scope.uuid]);
  }
  // one entry a feature, by construction
  return { scopes: Object.fromEntries(entries) as DemoScopes, rows };
}

interface NewScope {
  readonly type: string;
  readonly title: string;
  readonly inherits: readonly string[];
}

async function createScope(
  engine: ContextEngine,
  scope: NewScope,
): Promise<{ readonly uuid: string; readonly title: string }> {
  const { scope_block_uuid: uuid } = await engine.scopes.create(scope);
  return { uuid, title: `${scope.type} “${scope.title}”` };
}

async function writePath(
  engine: ContextEngine,
  {
    data,
    nowMs,
    path,
    scope,
  }: DemoIngest & {
    readonly path: string;
    readonly scope: { readonly uuid: string; readonly title: string };
  },
): Promise<readonly string[]> {
  const started = performance.now();
  const opened = await openSource({
    path: join(data, path),
    adapter: undefined,
    name: path,
    terminal: { cwd: data, stdin: noInput() },
  });
  let stored = 0;
  for (const source of opened.sources) {
    const totals = await writeSource(source, {
      engine,
      scope: scope.uuid,
      nowMs,
      onCommit: () => Promise.resolve(),
    });
    stored += totals.stored + totals.superseded;
  }
  await opened.close();
  return [path, scope.title, String(stored), formatMs(performance.now() - started)];
}

async function* noInput(): AsyncGenerator<string> {}
