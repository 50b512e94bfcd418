/** Stage 3: a decision for each operation; a refusal is audited before it is thrown. */
import type { Operation } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
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
  const operations = resolved.operations.map((each) => stamped(each, resolved.grant));
  return { ...resolved, ...authorization, operations };
}

/** Who stands behind a text is not the caller's to say: instructing layers go by it. */
function stamped(operation: Operation, { kind }: Grant): Operation {
  if (!('content' in operation) || operation.table === 'context_links') return operation;
  const provenance = { ...operation.content.provenance, writer_kind: kind };
  // The pair of table and content stays a pair: only what every such content has is set.
  return { ...operation, content: { ...operation.content, provenance } } as Operation;
}
