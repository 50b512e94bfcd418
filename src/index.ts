/** The public surface: everything that leaves the package by name, and nothing else. */

export { migrateDatabase } from '../connectors/index.ts';
export { createTokenCounter } from './budget/model-counter.ts';
export type { CallOptions, ComposeBlockContext, ContextEngine, DatabaseOptions, EngineOptions } from './context-engine.ts';
export { closeDefaultEngine, composeBlockContext, createContextEngine, LOCAL_PROFILE, VERSION } from './engine.ts';
export type { ErrorCode, ErrorLocation } from './errors.ts';
export { ContextEngineError, ERROR_CODES, InternalError } from './errors.ts';
export type { Embedder, EmbeddingSpace } from './inference/embedder.ts';
export type { AnyRow, Table } from './model/block.ts';
export type {
  ComposedItem,
  ComposedLayer,
  ComposeRequest,
  Composition,
  CompositionData,
  CompositionReceipt,
  Explanation,
  MessagesOf,
  Replay,
  Trace,
} from './model/composition.ts';
export type { Finding } from './model/finding.ts';
export type { Health } from './model/health.ts';
export type { Instant, ScopeUuid, Uuid } from './model/ids.ts';
export { parseInstant, parseUuid } from './model/ids.ts';
export type { Manifest, ManifestSet } from './model/manifest.ts';
export type { ManifestRegister } from './model/manifest-register.ts';
export type { Operation, Outcome, Receipt, WriteResult } from './model/operation.ts';
export type { PermissionProfile, Tier } from './model/permission.ts';
export type { ManifestPreview, PreviewedRequest, PreviewedSide } from './model/preview.ts';
export type { Position } from './model/validity.ts';
export type { FactInput, LinkInput, OutcomeInput, ScopeInput, SummaryInput, TurnInput, TypedOptions } from './model/write-input.ts';
