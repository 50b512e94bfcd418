/** The refusals of the reference connector that several of its operations share. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Uuid } from '../../src/model/ids.ts';

export const scopeMissing = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('SCOPE.NOT_FOUND', {
    message: `There is no scope \`${scope}\` for this tenant.`,
    fix: 'Create the scope first: an ADD of a block with `is_scope`, whose uuid is the scope.',
  });

export const invalidRequest = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', { message, fix });
