/** The surface of a profile as types: the typed values of one subject as one object. */
import type { ProfileChange, ProfileValues } from '../../model/collection-register.ts';
import type { ScopeUuid } from '../../model/ids.ts';
import type { WriteResult } from '../../model/operation.ts';
import type { TypedOptions } from '../../model/write-input.ts';
import type { CallOptions } from '../call-options.ts';

/** Of every value that is set. */
export type ProfileOptions = Pick<TypedOptions, 'confidence' | 'provenance' | 'sources'> &
  CallOptions;

export interface SubjectProfile {
  /**
   * The values as they stand now in the scope and in those that it inherits from; the nearest
   * scope shadows. Each collection of the manifests is there; a property without a value is not. A
   * value of another type, written before its collection changed, is left out: `facts.list` shows
   * it.
   */
  get(options?: CallOptions): Promise<ProfileValues>;
  /**
   * All of it or nothing, into the scope itself. What stands so already writes nothing, so that
   * the answer of `get` can be passed back changed. A list of `cardinality: many` is all of its
   * values. `WRITE.TYPE_MISMATCH` for a collection, property or value that the manifests do not
   * have; `WRITE.INVALID` where null is to take out what an outer scope says.
   */
  set(values: ProfileChange, options?: ProfileOptions): Promise<WriteResult>;
}

/** Typed values in hand. */
export interface Profiles {
  /** Of one subject (`user`, `order-17`), as a composition of the scope reads it. */
  profile(scope: ScopeUuid, subject: string): SubjectProfile;
}
