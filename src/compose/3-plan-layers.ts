/**
 * Stage 3: the intent picks the layers, inputs are checked, and each layer says what it will ask of
 * the store.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { isBeyondSkew, notBefore } from '../model/clock.ts';
import type { Instant } from '../model/ids.ts';
import { isKnownModel } from '../model/language-model.ts';
import type { IntentSettings, LayerSettings, Manifest } from '../model/manifest.ts';
import { withBlockMinimums } from './block-minimums.ts';
import { callBudget, withShare } from './call-budget.ts';
import type { StageContext } from './stage.ts';
import type { GrantedPlan, GrantedRequest } from './state.ts';

export function planLayers(granted: GrantedRequest, context: StageContext): GrantedPlan {
  const request = { ...granted, validAt: validAtOf(granted, context) };
  const manifest = request.manifestUsed;
  const intentUsed = intentOf(manifest, request.intent);
  const firing = new Set(intentUsed.layers);
  const layers = manifest.layers.filter((layer) => firing.has(layer.name));
  warnOfFixedText(request, layers, context);
  const budget = callBudget(manifest, request.model);
  if (budget.share < 1)
    context.warnings.push({
      code: 'BUDGET.SMALLER_WINDOW',
      message:
        `The window of \`${request.model}\` is smaller than \`${manifest.name}\` plans for: ` +
        `\`${budget.totalTokens}\` of \`${manifest.budget.totalTokens}\` tokens are left for ` +
        'the layers.',
    });
  if (request.model !== null && !isKnownModel(request.model))
    context.warnings.push({
      code: 'BUDGET.UNKNOWN_MODEL',
      message:
        `The tokenizer and the window of \`${request.model}\` are not known: tokens are counted ` +
        'conservatively.',
    });
  return {
    ...request,
    intentUsed,
    values: placeholderValues(request),
    position: request.closure.map((entry) => ({ scope: entry.scope.root_uuid, head: entry.head })),
    usagePosition: request.closure.map((entry) => ({
      scope: entry.scope.root_uuid,
      head: entry.usage_head,
    })),
    budget,
    layers: withBlockMinimums(
      layers.map((settings) => withShare(settings, budget)),
      { model: request.model, name: manifest.model.name },
      budget.totalTokens,
    ).map((settings) => ({ settings, parts: [] })),
  };
}

/** An intent that searches none of the memory that the manifest declares is seldom meant. */
function warnOfFixedText(
  { intent, manifestUsed }: GrantedRequest,
  firing: readonly LayerSettings[],
  { warnings }: StageContext,
): void {
  const reads = ({ kind }: LayerSettings): boolean => !FIXED.has(kind);
  if (firing.some(reads) || !manifestUsed.layers.some(reads)) return;
  warnings.push({
    code: 'LAYER.NONE_FIRES',
    message:
      `The intent \`${intent}\` fires no layer of \`${manifestUsed.name}\` but fixed text and ` +
      `pins: ${manifestUsed.layers.filter(reads).map(nameOf).join(', ')} stay silent.`,
  });
}

/** `pinned` is in every manifest. */
const FIXED: ReadonlySet<string> = new Set(['system', 'task', 'pinned']);
const nameOf = ({ name }: LayerSettings): string => name;

/**
 * V is never before what is read: a row of a writer whose clock is ahead is seen with the head that
 * has it.
 */
function validAtOf(request: GrantedRequest, context: StageContext): Instant {
  if (request.isWhatIf) return request.validAt;
  const times = request.closure.flatMap(({ recorded_at: time }) => time ?? []);
  const ahead = times.filter((time) => isBeyondSkew(request.validAt, time));
  for (const time of ahead)
    context.warnings.push({
      code: 'CLOCK.AHEAD',
      message:
        `A scope was written at \`${time}\`, and this clock reads \`${request.validAt}\`: what ` +
        'is dated after it is not seen yet. Set the clocks of the writers.',
    });
  return times.reduce((latest, time) => notBefore(latest, time), request.validAt);
}

function intentOf(manifest: Manifest, name: string): IntentSettings {
  const intent = Object.hasOwn(manifest.intents, name) ? manifest.intents[name] : undefined;
  if (intent) return intent;
  const known = Object.keys(manifest.intents);
  throw new ContextEngineError('MANIFEST.UNKNOWN_INTENT', {
    message: `\`${manifest.name}\` has no intent \`${name}\`.${suggest(name, known)}`,
    fix: `Use one of ${known.join(', ')}, or declare it under \`spec.intents\`.`,
    where: { field: 'intent' },
  });
}

/** Declared inputs, with defaults; plus what every template may use. */
function placeholderValues(request: GrantedRequest): Readonly<Record<string, string>> {
  const manifest = request.manifestUsed;
  const unknown = Object.keys(request.inputs).find((name) => !Object.hasOwn(manifest.inputs, name));
  if (unknown !== undefined) {
    throw new ContextEngineError('MANIFEST.UNKNOWN_INPUT', {
      message:
        `\`${manifest.name}\` declares no input ` +
        `\`${unknown}\`.${suggest(unknown, Object.keys(manifest.inputs))}`,
      fix: 'Declare it under `spec.inputs`, or leave it out.',
      where: { field: 'inputs' },
    });
  }
  const values: Record<string, string> = {
    now: request.validAt,
    query: request.query,
    'scope.title': request.closure[0]?.scope.title ?? '',
  };
  for (const input of Object.values(manifest.inputs)) {
    const given = Object.hasOwn(request.inputs, input.name)
      ? request.inputs[input.name]
      : undefined;
    const value = given ?? input.default;
    if (value === null && input.isRequired) {
      throw new ContextEngineError('MANIFEST.MISSING_INPUT', {
        message: `\`${manifest.name}\` needs the input \`${input.name}\`.`,
        fix:
          `Pass \`inputs: { ${input.name}: … }\`, on the command line \`--input ` +
          `${input.name}=…\`.`,
        where: { field: 'inputs' },
      });
    }
    values[input.name] = value ?? '';
  }
  return values;
}

/** The settings of the first firing layer of a kind. */
export const settingsOfKind = (
  layers: readonly { readonly settings: LayerSettings }[],
  kind: string,
): LayerSettings | undefined => layers.find((layer) => layer.settings.kind === kind)?.settings;
