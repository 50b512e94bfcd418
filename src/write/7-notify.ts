/** Stage 7: what the caller hears of the write. */
import type { Uuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import { holds } from '../model/permission.ts';
import type { EmbeddedWrite } from './6-embed.ts';

export function notifyWriter({ written, embedded, typeOf, grant }: EmbeddedWrite): WriteResult {
  // A cascade may reach scopes that the writer does not know of.
  const isKnown = (scope: Uuid): boolean => typeOf.has(scope) || holds(grant, scope);
  return {
    ...written,
    position: written.position.filter(({ scope }) => isKnown(scope)),
    receipts: written.receipts.map((receipt) =>
      receipt.uuid !== null && embedded.has(receipt.uuid)
        ? { ...receipt, embedding: 'done' as const }
        : receipt,
    ),
  };
}
