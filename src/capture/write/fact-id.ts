/**
 * Ids of what capture writes. Where facts are otherwise alike, the ledger lists them by their ids,
 * and which of them are compared with what is said depends on that: so the ids follow the order
 * in which the statements were made, the newest first, and the same conversation makes the same
 * memory under whatever ids its turns have.
 */
import { parseUuid, type Uuid } from '../../model/ids.ts';
import type { Candidate } from '../state.ts';

/** Of the 12 and 3 hexadecimal digits before and after the version of a UUID. */
const LAST_TIME = 2 ** 48 - 1;
const LAST_PLACE = 2 ** 12 - 1;
const PLACES_OF_TURN = 16;

/** A UUID of version 8, whose first bits are the place of the statement, counted from the end. */
export function factId({ turn, ordinal }: Pick<Candidate, 'turn' | 'ordinal'>, id: Uuid): Uuid {
  const time = LAST_TIME - Math.min(LAST_TIME, Math.max(0, Date.parse(turn.occurred_at)));
  const place = LAST_PLACE - ((turn.recorded_seq * PLACES_OF_TURN + ordinal) & LAST_PLACE);
  const hex = time.toString(16).padStart(12, '0');
  const behind = place.toString(16).padStart(3, '0');
  return parseUuid(`${hex.slice(0, 8)}-${hex.slice(8)}-8${behind}${id.slice(18)}`, 'uuid');
}
