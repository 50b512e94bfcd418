/** What went wrong at an embedding endpoint, as one coded error. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { type EmbeddingSpace, spaceName } from './embedder.ts';

interface RequestContext {
  readonly space: EmbeddingSpace;
  /** Kept out of every message. */
  readonly apiKey: string | undefined;
}

/** What a provider answers to a key that it does not accept, or not for this model. */
const REFUSED: readonly (number | null)[] = [401, 403];
export const codeOfStatus = (
  status: number | null,
): 'INFERENCE.REFUSED' | 'INFERENCE.UNAVAILABLE' =>
  REFUSED.includes(status) ? 'INFERENCE.REFUSED' : 'INFERENCE.UNAVAILABLE';

/**
 * `INFERENCE.REFUSED` of a key, else `INFERENCE.UNAVAILABLE`, with the HTTP status, if there was an
 * answer, in `meta.status`.
 */
export function requestError(
  error: unknown,
  { space, apiKey }: RequestContext,
): ContextEngineError {
  const status = statusOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const safe = apiKey ? reason.replaceAll(apiKey, '***') : reason;
  return new ContextEngineError(codeOfStatus(status), {
    message:
      `The endpoint of \`${spaceName(space)}\` ` +
      `${status === null ? 'could not be used' : `answered ${status}`}: \`${shown(safe)}\`.`,
    fix: fixFor(status),
    meta: { space: spaceName(space), status },
    cause: error,
  });
}

function fixFor(status: number | null): string {
  if (status === null)
    return (
      'Check that the endpoint is reachable at `baseUrl`, and raise `timeoutMs` if it is only ' +
      'slow.'
    );
  if (codeOfStatus(status) === 'INFERENCE.REFUSED')
    return 'Check `apiKey`, or OPENAI_API_KEY: the endpoint does not accept it for this model.';
  if (status === 404)
    return 'Check `model` and `baseUrl`, which includes the version path (`/v1`).';
  if (status === 429) return 'Wait, lower `batchSize`, or raise the rate limit of the key.';
  return status >= 500
    ? 'Try again later: the endpoint failed.'
    : 'Check `model` and `dimensions` against what the endpoint offers.';
}

function statusOf(error: unknown): number | null {
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  return typeof status === 'number' ? status : null;
}
