/** The fields of what the write surface takes, as data. */
import type { FieldsOf } from '../model/fields.ts';
import type {
  FactInput,
  LinkInput,
  OutcomeInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
} from '../model/write-input.ts';

export const TURN_FIELDS: FieldsOf<TurnInput> = {
  content: true,
  role: true,
  author: true,
  occurred_at: true,
  block_type: true,
  title: true,
  parent_uuid: true,
  tags: true,
  metadata: true,
  provenance: true,
  idempotency_key: true,
  valid_until: true,
};

export const FACT_FIELDS: FieldsOf<FactInput> = {
  content: true,
  subject: true,
  category: true,
  class: true,
  importance: true,
  confidence: true,
  tags: true,
  metadata: true,
  provenance: true,
  valid_from: true,
  valid_until: true,
  sources: true,
  replaces: true,
  corrects: true,
  idempotency_key: true,
};

export const TYPED_FIELDS: FieldsOf<TypedOptions> = {
  valid_from: true,
  valid_until: true,
  correction: true,
  confidence: true,
  provenance: true,
  sources: true,
  idempotency_key: true,
};

export const LINK_FIELDS: FieldsOf<LinkInput> = {
  type: true,
  from: true,
  to: true,
  ordinal: true,
  weight: true,
};

export const SUMMARY_FIELDS: FieldsOf<SummaryInput> = {
  kind: true,
  content: true,
  covers_to_seq: true,
  sources: true,
  model: true,
  cost_usd: true,
};

export const SCOPE_FIELDS: FieldsOf<ScopeInput> = {
  type: true,
  title: true,
  inherits: true,
  uuid: true,
  metadata: true,
  idempotency_key: true,
};

export const OUTCOME_FIELDS: FieldsOf<OutcomeInput> = {
  composition_id: true,
  used: true,
  cited: true,
  confirmed: true,
  corrected: true,
};
