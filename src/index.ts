/**
 * The public surface: everything that leaves the package by name, and nothing else.
 *
 * @module contextengine
 */

export type { FindingCode } from './codes/code-table.ts';
export type { ErrorCode } from './codes/errors.ts';
export { ContextEngineError, ERROR_CODES, InternalError } from './codes/errors.ts';
export type { Finding } from './codes/finding.ts';
export type {
  BoundEngine,
  CallOptions,
  ComposeBlockContext,
  ContextEngine,
  DatabaseOptions,
  EngineOptions,
} from './engine/context-engine.ts';
export { LOCAL_PROFILE } from './engine/local-profile.ts';
export {
  closeDefaultEngine,
  composeBlockContext,
  createContextEngine,
  createTokenCounter,
  migrateDatabase,
} from './engine/root-functions.ts';
export { VERSION } from './engine/version.ts';
export type { Embedder, EmbeddingSpace } from './inference/embedder.ts';
export type { AnyRow } from './model/block.ts';
export type {
  ComposedItem,
  ComposedLayer,
  ComposeRequest,
  Composition,
  CompositionReceipt,
  Explanation,
  Replay,
  Trace,
} from './model/composition.ts';
export type { ErasureCertificate } from './model/erasure.ts';
export type { FactRecord } from './model/fact-record.ts';
export type { Health } from './model/health.ts';
export type { Instant, ScopeUuid, Uuid } from './model/ids.ts';
export { isUuid, parseInstant, parseUuid } from './model/ids.ts';
export type { Manifest, ManifestSet } from './model/manifest.ts';
export type { ManifestRegister } from './model/manifest-register.ts';
export type { MessagesOf, ToolCall } from './model/messages.ts';
export type { Operation, Outcome, Receipt, WriteResult } from './model/operation.ts';
export type { PermissionProfile, Tier } from './model/permission.ts';
export type { ManifestPreview } from './model/preview.ts';
export type { Proposal } from './model/proposal.ts';
export type { Position } from './model/validity.ts';
export type {
  FactInput,
  LinkInput,
  OutcomeInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
} from './model/write-input.ts';
