/**
 * The harness as the command uses it: loaded when it is asked for, and the suite that the flags
 * name.
 */
import { resolve } from 'node:path';
import type { EvaluateOptions, PreparedSuite } from '../../../eval/index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { numberFlag, usageError } from '../arguments.ts';
import type { Call } from '../command.ts';
import { shownPath } from '../shown-path.ts';
import { readDocuments, readGoldDocuments } from './read-documents.ts';
import { readLocomo } from './read-locomo.ts';

export type Harness = typeof import('../../../eval/index.ts');

export const loadHarness = (): Promise<Harness> => import('../../../eval/index.ts');

/**
 * `--gold FILE`, or `--suite NAME` with `--data FILE` where the data is not part of the package;
 * default the gold set of the package.
 */
export async function preparedSuite(call: Call, harness: Harness): Promise<PreparedSuite> {
  const variant = call.flags.text('variant');
  const prepared = await namedSuite(call, harness);
  return variant === undefined ? prepared : { ...prepared, variant };
}

async function namedSuite(call: Call, harness: Harness): Promise<PreparedSuite> {
  const { flags, terminal } = call;
  const manifest = pathFlag(call, 'manifest');
  const gold = pathFlag(call, 'gold');
  if (gold !== undefined) {
    if (flags.text('suite') !== undefined)
      throw usageError('`--gold` and `--suite` are two suites.', 'Give one of them.');
    const documents = await readGoldDocuments(harness.goldDocuments(gold));
    return harness.goldSuite(gold, manifest, documents);
  }
  const name = flags.text('suite') ?? 'gold';
  if (name === 'locomo') {
    const path = pathFlag(call, 'data');
    if (path === undefined)
      throw usageError(
        '`--data` is missing.',
        'Add `--data FILE`: LoCoMo is not part of the package.',
      );
    const { conversations, dataSha256 } = await readLocomo(path, shownPath(path, terminal.cwd));
    const every = numberFlag(flags, 'every') ?? 1;
    const suite = harness.locomoSuite(conversations, {
      dataSha256,
      scopeType:
        manifest === undefined
          ? 'eval_conversation'
          : (await harness.readBaseManifest(manifest)).scopeType,
      every,
      isUnrelatedAsked: flags.isOn('unrelated'),
    });
    return {
      suite,
      manifest: manifest ?? harness.evalFile('manifests/locomo.yaml'),
      collections: [],
    };
  }
  if (name === 'documents') {
    const documents = await readDocuments(harness);
    return manifest === undefined ? documents : { ...documents, manifest };
  }
  const own = harness.OWN_SUITES.find((known) => known === name);
  if (own === undefined) {
    const known = ['locomo', 'documents', ...harness.OWN_SUITES];
    const near = nearest(name, known);
    throw usageError(
      `There is no suite \`${name}\`.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${known.join(', ')}, or ` +
        '`--gold FILE`.',
    );
  }
  const prepared = harness.ownSuite(own);
  return manifest === undefined ? prepared : { ...prepared, manifest };
}

export function pathFlag(call: Call, name: string): string | undefined {
  const value = call.flags.text(name);
  return value === undefined ? undefined : resolve(call.terminal.cwd, value);
}

/**
 * Budgets and embedder, as the flags say. LoCoMo is long: one budget there unless more are asked
 * for.
 */
export function evaluateOptions(call: Call, harness: Harness): EvaluateOptions {
  const { flags } = call;
  const embedder = flags.text('embedder') ?? 'builtin';
  if (embedder !== 'builtin' && embedder !== 'off')
    throw usageError(`\`--embedder\` is \`${embedder}\`.`, 'Use `builtin` or `off`.');
  const given = flags.texts('budget').map(Number);
  if (given.some((budget) => !Number.isInteger(budget) || budget < 1))
    throw usageError('`--budget` is not a number of tokens.', 'Write `--budget 2000`.');
  const isShort = flags.text('suite') === 'locomo' && !flags.isOn('all-budgets');
  return {
    embedder,
    budgets: given.length > 0 ? given : isShort ? [harness.MAIN_BUDGET] : harness.BUDGETS,
  };
}
