/**
 * A law of the contract, as data: the suite is a list of them, switched by what a connector
 * declares.
 */
import type { Capability } from '../cxri/contract.ts';
import type { Lab } from './lab.ts';

export interface Law {
  /** Reads as a sentence about a connection. */
  readonly name: string;
  /**
   * Abilities without which the law does not apply. `authority`: the second interface; `vectors`:
   * the caller can store some.
   */
  readonly needs: readonly (Capability | 'authority' | 'vectors')[];
  /** Rejects where the law is broken. */
  check(lab: Lab): Promise<void>;
}
