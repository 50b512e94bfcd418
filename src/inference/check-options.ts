/** The options of a provider of embeddings, against the schemas that its definition states. */
import { checkAgainst } from '../inputs/check-input.ts';
import { validators } from './generated/validate.js';
import { type Described, optionsSchema } from './provider.ts';

/** Throws `CONFIG.INVALID_VALUE` or `CONFIG.UNKNOWN_KEY`. */
export const checkOptions = (provider: Described, options: unknown): void =>
  checkAgainst(validators[provider.name], optionsSchema(provider), options);
