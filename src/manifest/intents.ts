/** Intents: which layers fire, and how much forgetting counts. */

import { type LayerKind, layerKind } from '../layers/index.ts';
import { shown } from '../model/ids.ts';
import {
  BUILT_IN_INTENTS,
  type BuiltInIntent,
  DEFAULT_LAMBDA,
  LAMBDA_CLASSES,
  type LambdaClass,
} from '../model/intent.ts';
import type { IntentSettings, LayerSettings } from '../model/manifest.ts';
import type { ResolvedLayers } from './layers.ts';
import type { Path, Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import type { RawIntent, RawSpec } from './wire-manifest.ts';

/** The built-in intents; the compiler checks that each layer kind they name is one. */
const BUILT_IN: Readonly<
  Record<
    string,
    BuiltInIntent & {
      readonly fires: '*' | readonly LayerKind[];
      readonly skips: readonly LayerKind[];
    }
  >
> = BUILT_IN_INTENTS;

/** An intent of a manifest's own: every layer fires, forgetting counts as in a conversation. */
const OWN_INTENT: BuiltInIntent = { lambda: 'temporal', fires: '*', skips: [] };

/** Names are the user's: `constructor` is a member of every object, and no intent of theirs. */
const memberOf = <T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined => (record && Object.hasOwn(record, name) ? record[name] : undefined);

const isClass = (name: string): name is LambdaClass =>
  (LAMBDA_CLASSES as readonly string[]).includes(name);

interface IntentContext {
  readonly spec: RawSpec;
  readonly layers: ResolvedLayers;
  readonly reporter: Reporter;
}

/** All built-in intents and the manifest's own, by name; the record has no prototype. */
export function resolveIntents(context: IntentContext): Readonly<Record<string, IntentSettings>> {
  const { spec, reporter } = context;
  const builtIn: Readonly<Record<string, BuiltInIntent>> = BUILT_IN;
  const names = [...new Set([...Object.keys(builtIn), ...Object.keys(spec.intents ?? {})])];
  checkLambdaNames(names, context);
  const intents: Record<string, IntentSettings> = Object.create(null);
  for (const name of names) {
    const at = ['spec', 'intents', name];
    const raw = memberOf(spec.intents, name);
    const isOwn = !Object.hasOwn(builtIn, name);
    if (isOwn && raw?.layers === undefined) {
      reporter.report({
        code: 'MANIFEST.MISSING',
        at,
        on: 'key',
        message: `The intent \`${name}\` is not built in and has no \`layers\`.`,
        fix:
          'Write which layers fire, such as `layers: [recent, semantic]`; or, if a built-in ' +
          `intent is meant, its name. ${didYouMean(name, Object.keys(builtIn))}`,
      });
    }
    const base = isOwn ? OWN_INTENT : (builtIn[name] ?? OWN_INTENT);
    const lambda = resolveLambda(name, { raw, base, context });
    intents[name] = {
      name,
      layers: resolveFired(raw?.layers, base, { at: [...at, 'layers'], context }),
      ...lambda,
      floor: raw?.floor ?? null,
    };
  }
  return intents;
}

function checkLambdaNames(intents: readonly string[], { spec, reporter }: IntentContext): void {
  const known = [...new Set([...LAMBDA_CLASSES, ...intents])];
  for (const name of Object.keys(spec.scoring?.lambda_by_intent ?? {})) {
    if (known.includes(name)) continue;
    reporter.report({
      code: 'MANIFEST.UNKNOWN_KEY',
      at: ['spec', 'scoring', 'lambda_by_intent', name],
      on: 'key',
      message: `\`${shown(name)}\` is neither a class of forgetting nor an intent.`,
      fix: didYouMean(name, known),
    });
  }
}

/** The intent's own number, then its number in `lambda_by_intent`, then that of its class. */
function resolveLambda(
  name: string,
  {
    raw,
    base,
    context,
  }: { raw: RawIntent | undefined; base: BuiltInIntent; context: IntentContext },
): Pick<IntentSettings, 'lambda' | 'lambdaClass'> {
  const { spec, reporter } = context;
  const at: Path = ['spec', 'intents', name, 'lambda'];
  const byName = spec.scoring?.lambda_by_intent ?? {};
  const ofClass = (lambdaClass: LambdaClass): Pick<IntentSettings, 'lambda' | 'lambdaClass'> => ({
    lambda: byName[lambdaClass] ?? DEFAULT_LAMBDA[lambdaClass],
    lambdaClass,
  });
  if (typeof raw?.lambda === 'number') {
    if (raw.lambda < 0 || raw.lambda > 4)
      reporter.report({
        code: 'MANIFEST.INVALID_VALUE',
        at,
        message: `\`lambda\` is \`${raw.lambda}\`.`,
        fix: 'Use a number from 0 to 4.',
      });
    return { lambda: raw.lambda, lambdaClass: 'custom' };
  }
  if (typeof raw?.lambda === 'string') {
    if (isClass(raw.lambda)) return ofClass(raw.lambda);
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `\`${shown(raw.lambda)}\` is not a class of forgetting.`,
      fix: didYouMean(raw.lambda, LAMBDA_CLASSES),
    });
  }
  const own = isClass(name) ? undefined : memberOf(byName, name);
  return own === undefined ? ofClass(base.lambda) : { lambda: own, lambdaClass: 'custom' };
}

function resolveFired(
  written: readonly string[] | undefined,
  base: BuiltInIntent,
  { at, context }: { at: Path; context: IntentContext },
): readonly string[] {
  const { enabled } = context.layers;
  const fired = new Set(enabled.filter((layer) => fires(base, layer)).map((layer) => layer.name));
  if (written !== undefined) {
    const isChange = written.length > 0 && written.every((entry) => /^[+-]/.test(entry));
    if (!isChange) fired.clear();
    for (const [index, entry] of written.entries())
      applyEntry(entry, fired, { at: [...at, index], isChange, context });
  }
  return enabled
    .filter((layer) => fired.has(layer.name) || layerKind(layer.kind).isAlwaysOn)
    .map((layer) => layer.name);
}

function fires(intent: BuiltInIntent, { kind }: LayerSettings): boolean {
  return !intent.skips.includes(kind) && (intent.fires === '*' || intent.fires.includes(kind));
}

function applyEntry(
  entry: string,
  fired: Set<string>,
  { at, isChange, context }: { at: Path; isChange: boolean; context: IntentContext },
): void {
  const { layers, reporter } = context;
  const isSigned = /^[+-]/.test(entry);
  const name = isSigned ? entry.slice(1) : entry;
  if (isSigned !== isChange) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `\`${entry}\` stands among entries ${isSigned ? 'without' : 'with'} a sign.`,
      fix: 'Name the layers, or change what fires with `+` and `-`; not both in one list.',
    });
    return;
  }
  if (!layers.declared.includes(name)) {
    reporter.report({
      code: 'MANIFEST.UNKNOWN_INTENT_LAYER',
      at,
      message: `The manifest declares no layer \`${shown(name)}\`.`,
      fix: `${didYouMean(name, layers.declared)} Or declare it in spec.layers.`,
    });
    return;
  }
  const kind = layers.enabled.find((layer) => layer.name === name)?.kind;
  if (entry.startsWith('-') && kind !== undefined && layerKind(kind).isAlwaysOn) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `\`${entry}\`: a \`${kind}\` layer fires with every intent.`,
      fix: 'Remove the entry; `enabled: false` in spec.layers switches the layer off.',
    });
    return;
  }
  if (entry.startsWith('-')) fired.delete(name);
  else fired.add(name);
}
