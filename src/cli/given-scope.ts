/** Scopes on the command line: the uuid, or the key that the application made it under. */
import { type ContextEngine, ContextEngineError, isUuid, parseUuid, type Uuid } from '../index.ts';

/** What `--scope` takes, for the help of every command. */
export const SCOPE_VALUE = 'SCOPE';

/**
 * Throws `SCOPE.NOT_FOUND` for a key that names no scope of the caller. A uuid is not looked up.
 */
export async function givenScope(
  { scopes }: Pick<ContextEngine, 'scopes'>,
  given: string,
): Promise<Uuid> {
  if (isUuid(given)) return parseUuid(given, '--scope');
  const found = await scopes.find(given);
  if (found !== null) return found;
  throw new ContextEngineError('SCOPE.NOT_FOUND', {
    message: `There is no scope of key \`${given}\` that you hold.`,
    fix:
      'Check how the key is written: `contextengine scope list` shows the keys. Or make the scope ' +
      'with `contextengine scope create --type TYPE --key KEY`.',
  });
}
