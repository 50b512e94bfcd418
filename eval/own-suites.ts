/**
 * The suites that are part of the package, and a gold file of one's own, each with the manifest
 * that it is evaluated under.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContextEngineError } from '../src/index.ts';
import type { DocumentFiles } from './gold/documents.ts';
import { readGold } from './gold/gold-file.ts';
import type { Variant } from './run/manifest-variant.ts';
import type { EvalSuite } from './suite.ts';
import { changingFactsSuite, changingStateSuite } from './suites/changing-state.ts';
import { languagesSuite } from './suites/languages.ts';
import { stateTrackingSuite } from './suites/state-tracking.ts';

/** Another way to rank, by what it changes of the manifest. */
export interface Beside extends Variant {
  /** In words: `sim alone`. */
  readonly name: string;
}

/** A suite that is ready to run. */
export interface PreparedSuite {
  readonly suite: EvalSuite;
  /** Path of the manifest. */
  readonly manifest: string;
  /** Paths of collections that the manifest or the typed values need. */
  readonly collections: readonly string[];
  /** Put to the same questions, and reported as a difference. */
  readonly beside?: Beside;
  /** The A/B variant of the manifest that is measured; absent = the manifest as written. */
  readonly variant?: string;
}

export const OWN_SUITES = [
  'gold',
  'scenario',
  'archive',
  'state',
  'changing-state',
  'changing-facts',
  'languages',
] as const;
export type OwnSuite = (typeof OWN_SUITES)[number];

/** A file of this folder, in the sources and in `dist/` alike. */
export const evalFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const GOLD_FILES = {
  gold: 'data/gold/gold.yaml',
  scenario: 'data/scenario.yaml',
  archive: 'data/archive/archive.yaml',
} as const;

const SIM_ALONE: Beside = {
  name: 'sim alone',
  label: 'sim',
  changes: { 'spec.layers.archival.scoring': { formula: 'sim' } },
};

export function ownSuite(name: OwnSuite): PreparedSuite {
  if (name === 'changing-state')
    return {
      suite: changingStateSuite('eval_conversation'),
      manifest: evalFile('manifests/locomo.yaml'),
      collections: [],
    };
  if (name === 'changing-facts')
    return {
      suite: changingFactsSuite('eval_facts'),
      manifest: evalFile('manifests/facts.yaml'),
      collections: [],
    };
  if (name === 'languages')
    return {
      suite: languagesSuite('eval_conversation', evalFile),
      manifest: evalFile('manifests/locomo.yaml'),
      collections: [],
    };
  if (name === 'archive') return { ...goldSuite(evalFile(GOLD_FILES.archive)), beside: SIM_ALONE };
  if (name !== 'state') return goldSuite(evalFile(GOLD_FILES[name]));
  const { manifest, collections } = goldSuite(evalFile(GOLD_FILES.gold));
  return { suite: stateTrackingSuite('eval_channel'), manifest, collections };
}

/** A gold file with the manifest that it names. Throws `EVAL.DATA`. */
export function goldSuite(
  path: string,
  manifestPath?: string,
  documents?: DocumentFiles,
): PreparedSuite {
  const { suite, manifest = manifestPath, collections } = readGold(resolve(path), documents);
  if (manifest === undefined)
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${path}\` names no manifest.`,
      fix: 'Add `manifest: PATH` to the gold file, or give `--manifest FILE`.',
      where: { file: path, field: 'manifest' },
    });
  return { suite, manifest: manifestPath ?? manifest, collections };
}
