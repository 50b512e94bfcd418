/**
 * The laws of a scope's history, judged without the store that it comes from: an import is
 * untrusted input, and what passes here is what a sequence of writes could have left.
 */
import type { ScopeHistory } from '../model/journal.ts';
import { checkEffects } from './check-effects.ts';
import { checkJournal } from './check-journal.ts';
import { checkLineage } from './check-lineage.ts';
import { checkRows } from './check-rows.ts';
import { IndexedHistory } from './indexed-history.ts';

/**
 * Throws `WRITE.INVALID`. The shapes of rows and entries are checked before.
 * Invariant: what any sequence of writes leaves passes (test/property/history.test.ts).
 */
export function checkHistory(scope: ScopeHistory): void {
  const history = new IndexedHistory(scope);
  checkRows(history);
  checkJournal(scope.journal, history);
  checkEffects(history, scope.journal);
  checkLineage(history);
}
