/** Stage 3: the intent picks the layers, inputs are checked, and each layer says what it will ask of the store. */
import { ContextEngineError } from '../errors.ts';
import type { IntentSettings, LayerSettings, Manifest } from '../model/manifest.ts';
import { suggest } from '../model/suggest.ts';
import type { GrantedPlan, GrantedRequest } from './state.ts';

export function planLayers(request: GrantedRequest): GrantedPlan {
  const manifest = request.manifestUsed;
  const intentUsed = intentOf(manifest, request.intent);
  const firing = new Set(intentUsed.layers);
  const layers = manifest.layers.filter((layer) => firing.has(layer.name));
  return {
    ...request,
    intentUsed,
    values: placeholderValues(request),
    position: request.closure.map((entry) => ({ scope: entry.scope.root_uuid, head: entry.head })),
    usagePosition: request.closure.map((entry) => ({ scope: entry.scope.root_uuid, head: entry.usage_head })),
    layers: layers.map((settings) => ({ settings, parts: [] })),
  };
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
      message: `\`${manifest.name}\` declares no input \`${unknown}\`.${suggest(unknown, Object.keys(manifest.inputs))}`,
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
    const value = request.inputs[input.name] ?? input.default;
    if (value === null && input.isRequired) {
      throw new ContextEngineError('MANIFEST.MISSING_INPUT', {
        message: `\`${manifest.name}\` needs the input \`${input.name}\`.`,
        fix: `Pass \`inputs: { ${input.name}: … }\`, on the command line \`--input ${input.name}=…\`.`,
        where: { field: 'inputs' },
      });
    }
    values[input.name] = value ?? '';
  }
  return values;
}

/** The settings of the first firing layer of a kind. */
export const settingsOfKind = (layers: readonly { readonly settings: LayerSettings }[], kind: string): LayerSettings | undefined =>
  layers.find((layer) => layer.settings.kind === kind)?.settings;
