/** The composition that `explain` and `replay` are asked about: by its id, or the newest. */
import type { ContextEngine } from '../index.ts';
import { usageError } from './arguments.ts';
import type { Call, FlagTable } from './command.ts';
import { givenId } from './given-id.ts';
import { givenScope, SCOPE_VALUE } from './given-scope.ts';

type CompositionName = Parameters<ContextEngine['explain']>[0];

export const COMPOSITION_USAGE = 'COMPOSITION|latest';

export const COMPOSITION_FLAGS: FlagTable = {
  scope: { type: 'string', value: SCOPE_VALUE, help: 'latest: the newest of this scope' },
};

export const COMPOSITION_NOTES = `
latest is the newest composition that left a receipt, of all scopes that you read, or of --scope.
One with --as-of or --recorded-as-of leaves none: compose it with --trace to see why.
`;

/** Throws `CLI.USAGE`, or `CONFIG.INVALID_VALUE` for what is no uuid. */
export function givenComposition({
  flags,
  positionals,
}: Call): (engine: Pick<ContextEngine, 'scopes'>) => Promise<CompositionName> {
  const [given = ''] = positionals;
  const scope = flags.text('scope');
  if (given === 'latest')
    return async (engine) =>
      scope === undefined ? 'latest' : { latest_of: await givenScope(engine, scope) };
  if (scope !== undefined)
    throw usageError(
      '`--scope` goes with `latest`: an id names its composition alone.',
      `Write \`latest --scope ${scope}\`, or leave \`--scope\` out.`,
    );
  const id = givenId('composition', given);
  return async () => id;
}
