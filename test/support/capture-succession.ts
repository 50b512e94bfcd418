/** What rules make of a turn, and the same as a fact that is known. */
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import type { FactCandidate, KnownFact } from '../../src/capture/state.ts';
import { extracting, gating, turnOf } from './capture-turns.ts';

export const capturedOf = (content: string): readonly FactCandidate[] =>
  extractCandidates([...gatedPieces(turnOf(content), gating)], extracting).going.flatMap((each) =>
    each.kind === 'fact' ? [each] : [],
  );

export const knownOf = (content: string): readonly KnownFact[] =>
  capturedOf(content).map((each) => ({
    uuid: each.turn.uuid,
    root_uuid: each.turn.uuid,
    scope_uuid: each.turn.scope_uuid,
    content: each.content,
    subject: each.subject,
    importance: each.importance,
    valid_from: each.valid_from,
    valid_until: each.valid_until,
    class: each.class,
    metadata: { captured_by: 'rules' },
    provenance: {},
  }));
