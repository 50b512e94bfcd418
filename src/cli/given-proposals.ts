/** Proposals on the command line: by their uuids, or by the first eight digits and more. */
import { type ContextEngine, ContextEngineError, isUuid } from '../index.ts';
import { givenId } from './given-id.ts';

type Approvals = Pick<ContextEngine['approvals'], 'list'>;

/** Fewer digits name too many of a list that people read from. */
const PREFIX = /^[0-9a-f][0-9a-f-]{7,34}$/i;
const PAGE = 1000;
/** That an error names. */
const MOST_NAMED = 5;

/**
 * Throws `CONFIG.INVALID_VALUE` for what is neither, or begins several of them, and
 * `PERMISSION.PROPOSAL_NOT_FOUND` for what begins none.
 */
export async function givenProposal(approvals: Approvals, given: string): Promise<string> {
  if (isUuid(given) || !PREFIX.test(given)) return givenId('proposal', given);
  // Those that wait come first: what was settled is looked for where none of them is meant.
  for (const state of ['pending', null] as const) {
    const found = await beginningWith(approvals, given.toLowerCase(), state);
    const [only] = found;
    if (found.length > 1) throw ambiguous(given, found);
    if (only !== undefined) return only;
  }
  throw new ContextEngineError('PERMISSION.PROPOSAL_NOT_FOUND', {
    message: `No proposal that you may see begins with \`${given}\`.`,
    fix: 'Take one from `contextengine approvals list`, with `--all` where it was settled.',
    where: { field: 'proposal' },
  });
}

async function beginningWith(
  approvals: Approvals,
  prefix: string,
  state: 'pending' | null,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await approvals.list({
      state,
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    const ids = page.map(({ proposal_uuid: id }) => id);
    found.push(...ids.filter((id) => id.startsWith(prefix)));
    after = ids.at(-1);
    if (ids.length < PAGE || after === undefined) return found;
  }
}

function ambiguous(given: string, found: readonly string[]): ContextEngineError {
  const named = found.slice(0, MOST_NAMED).map((id) => `\`${id}\``);
  const more = found.length - named.length;
  return new ContextEngineError('CONFIG.INVALID_VALUE', {
    message:
      `\`${given}\` begins ${found.length} proposals: ${named.join(', ')}` +
      `${more > 0 ? ` and ${more} more` : ''}.`,
    fix: 'Give more digits of the one that you mean.',
    where: { field: 'proposal' },
    meta: { matches: found },
  });
}
