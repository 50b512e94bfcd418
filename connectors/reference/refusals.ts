/** What the reference connector refuses a malformed request with. */
import { ContextEngineError } from '../../src/codes/errors.ts';

export const invalidRequest = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', { message, fix });
