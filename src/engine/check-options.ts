/**
 * What a caller passes beside the content: the options of an engine and of a call, checked before
 * anything is opened or asked.
 */
import { checkLocation } from '../../connectors/index.ts';
import { ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import { shown } from '../model/ids.ts';
import { plainCopy } from '../model/plain-copy.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import type { CallOptions, EngineOptions } from './context-engine.ts';

/** What has a type but no parser of its own. */
export function checkEngineOptions(options: EngineOptions): void {
  checkInput('engine_options', options);
  const { database, permission_profile: profile } = options;
  if (profile !== undefined) parseProfile(plainCopy(profile));
  if (database !== undefined) checkLocation(database);
}

/** Under a misspelt name a profile would be passed over, and the engine's own act in its place. */
export function checkCallOptions(call: CallOptions | undefined): void {
  if (call !== undefined) checkInput('call_options', call);
}

/** The options of a call with keys of its own; only what is left out is none. */
export function optionsOf<T extends object>(given: T | undefined): Partial<T> {
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null) return given;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `The options are \`${shown(given)}\`, not a map.`,
    fix: 'Leave them out, or write an object.',
    where: { field: 'options' },
  });
}
