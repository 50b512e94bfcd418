/** Stage 3: a decision for each operation; a refusal is audited before it is thrown. */
import { withoutCaptureMarks } from '../model/fact-slot.ts';
import { type Operation, stampedWith, type UndoOperation } from '../model/operation.ts';
import { authorizeWrite, type WriteAuthorization } from '../permission/authorize-write.ts';
import type { ResolvedWrite } from './2-resolve.ts';
import { refuseTooLongCore } from './check-core.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface AuthorizedWrite extends ResolvedWrite, WriteAuthorization {}

export async function authorizeOperations(
  resolved: ResolvedWrite,
  { authority, permission, manifests }: WriteDependencies,
): Promise<AuthorizedWrite> {
  const authorization = await authorizeWrite(resolved, { door: permission, authority });
  // Names layers and manifests: only whoever may write here hears of them.
  refuseTooLongCore(resolved, manifests);
  const { undos } = authorization;
  const operations = resolved.operations.map((each) =>
    each.operation === 'UNDO' ? asJudged(each, undos) : stamped(each, resolved),
  );
  return { ...resolved, ...authorization, operations };
}

/** Under the locks an undo changes what was judged, or nothing. */
const asJudged = (operation: UndoOperation, undos: AuthorizedWrite['undos']): UndoOperation => ({
  ...operation,
  expected: undos.get(operation.target)?.touched ?? [],
});

/**
 * Who stands behind a text is not the caller's to say: instructing layers go by it, and what
 * capture wrote gives way to what it guesses.
 */
const stamped = (
  operation: Operation,
  { grant, isOfCapture }: Pick<ResolvedWrite, 'grant' | 'isOfCapture'>,
): Operation =>
  stampedWith(
    isOfCapture === true ? operation : withoutCaptureMarks(operation),
    ({ approver_kind: _, ...said }) => ({ ...said, writer_kind: grant.kind }),
  );
