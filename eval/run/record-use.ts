/**
 * Use of memories as it comes about: one is served by a composition, and an outcome says that it
 * was used.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextEngine, ScopeUuid } from '../../src/index.ts';
import { ContextEngineError, LOCAL_PROFILE } from '../../src/index.ts';
import type { EvalStore, KeyedFact } from '../suite.ts';

const nameOf = (scopeType: string): string => `eval-uses-${scopeType.replaceAll('_', '-')}`;

/** By similarity alone, so that nothing of it is marked as served to a later question. */
const manifestOf = (scopeType: string): string => `
apiVersion: contextengine.eval/v1
kind: ContextDomain
metadata: { name: ${nameOf(scopeType)}, version: 1, scope_block_type: ${scopeType} }
spec:
  layers:
    system: { enabled: false }
    pinned: { enabled: false }
    open_set: { top_k: 3, scoring: { formula: sim, mmr_lambda: 1 } }
  intents: { use: { layers: [open_set] } }
  budget: { total_tokens: 2000 }
  bypass: [cache]
`;

/** A manifest for each type of scope whose memories were used; paths for the engine. */
export async function writeUseManifests(
  stores: readonly EvalStore[],
  folder: string,
): Promise<readonly string[]> {
  const used = stores.filter(({ facts }) => facts.some(({ uses }) => uses !== undefined));
  const types = [...new Set(used.map(({ scopeType }) => scopeType))];
  return Promise.all(
    types.map(async (scopeType) => {
      const path = join(folder, `${nameOf(scopeType)}.yaml`);
      await writeFile(path, manifestOf(scopeType));
      return path;
    }),
  );
}

interface Use {
  readonly store: Pick<EvalStore, 'scopeType'>;
  readonly scope: ScopeUuid;
  readonly root: string;
  readonly fact: Pick<KeyedFact, 'key' | 'content'>;
}

/** At the time of the engine's clock. Rejects with `EVAL.DATA` where it is not served by its text. */
export async function recordUse(
  engine: ContextEngine,
  { store, scope, root, fact }: Use,
): Promise<void> {
  const { composition_id, items } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'use',
    query: fact.content,
    permission_profile: LOCAL_PROFILE,
    manifest: nameOf(store.scopeType),
  });
  if (!items.some(({ root_uuid: served }) => served === root))
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${fact.key}\` is used, and its own text does not serve it.`,
      fix: 'Let what is used be a fact of a class that `open_set` serves, valid by then.',
      where: { field: fact.key },
    });
  await engine.recordOutcome({ composition_id, used: [root] });
}
