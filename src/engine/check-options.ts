/**
 * What a caller passes beside the content: the options of an engine and of a call, checked before
 * anything is opened or asked.
 */
import { checkLocation } from '../../connectors/index.ts';
import { ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import { shown } from '../model/ids.ts';
import { plainCopy } from '../model/plain-copy.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import type { CallOptions, EngineOptions } from './context-engine.ts';

const OPTIONS: FieldsOf<EngineOptions> = {
  database: true,
  manifests: true,
  overrides: true,
  embedder: true,
  permission_profile: true,
  authority: true,
  clock: true,
  newId: true,
};

/** What has a type but no parser of its own. */
export function checkEngineOptions(options: EngineOptions): void {
  checkFields(options, 'options', OPTIONS);
  const { database, manifests, authority } = options;
  if (options.permission_profile !== undefined) parseProfile(plainCopy(options.permission_profile));
  if (database !== undefined) checkLocation(database);
  const areManifests =
    typeof manifests === 'string' ||
    (Array.isArray(manifests) && manifests.every((entry) => typeof entry === 'string'));
  if (manifests !== undefined && !areManifests)
    throw invalidOption(
      'manifests',
      manifests,
      'Pass the path of a file or folder, or a list of them.',
    );
  const { overrides } = options;
  if (
    overrides !== undefined &&
    (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides))
  )
    throw invalidOption('overrides', overrides, 'Pass an object of paths and numbers.');
  if (
    authority !== undefined &&
    authority !== 'embedder_trusted' &&
    typeof authority !== 'function'
  )
    throw invalidOption(
      'authority',
      authority,
      "Pass `'embedder_trusted'` or a function that judges a claim.",
    );
  for (const name of ['clock', 'newId'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalidOption(name, options[name], `Pass a function as \`${name}\`.`);
}

const invalidOption = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });

/** Under a misspelt name a profile would be passed over, and the engine's own act in its place. */
export function checkCallOptions(call: CallOptions | undefined): void {
  if (call !== undefined) checkInput('call_options', call);
}
