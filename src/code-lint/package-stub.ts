/**
 * What the linted code sees when it imports `contextengine`: the public surface in small. The real
 * declarations are not read, because code is linted where nothing is installed as well, and because
 * the lint needs to know the two declarations of the compose call again.
 */

export const PACKAGE_NAME = 'contextengine';
export const COMPOSE_NAME = 'composeBlockContext';
/** The optional property of `ScopeUuid<T>` that carries `T` (src/model/ids.ts). */
export const SCOPE_TYPE_PROPERTY = '__scope_type';

export const PACKAGE_STUB = `
export type ScopeUuid<T extends string = string> = string & { readonly __scope_type?: T };
export type Uuid = string;
export type Instant = string;
export type Tier = 'T1' | 'T2' | 'T3' | 'excluded';
export interface ManifestRegister {}
export interface PermissionProfile {
  readonly principal: string;
  readonly tenant: string;
  readonly kind: 'human' | 'agent' | 'service';
  readonly tiers?: { readonly [key: string]: Tier };
  readonly scopes: readonly string[] | '*';
  readonly on_behalf_of?: PermissionProfile;
}
export interface ComposeRequest {
  readonly scope_block_uuid: ScopeUuid;
  readonly intent: string;
  readonly query: string;
  readonly permission_profile: PermissionProfile;
  readonly trace?: boolean;
  readonly as_of?: string | Date;
  readonly recorded_as_of?: any;
  readonly inputs?: { readonly [name: string]: string | number | boolean };
  readonly manifest?: string;
  readonly model?: string;
  readonly format?: 'xml' | 'markdown';
  readonly include_scopes?: readonly string[];
  readonly approval?: string;
  readonly deadline_ms?: number;
  readonly signal?: any;
  readonly after?: any;
  readonly time_zone?: string;
}
export interface ComposedItem<L extends string = string> {
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly id: string | null;
  readonly table: string | null;
  readonly layer: L;
  readonly score: number | null;
  readonly signals: any;
  readonly provenance: any;
  readonly tokens: number;
  readonly truncated: boolean;
  readonly text: string;
  readonly turn: any;
}
export interface ComposedLayer {
  readonly rank: number;
  readonly budget: number;
  readonly tokens: number;
  readonly items: number;
  readonly dropped: number;
  readonly truncated: number;
}
export interface CompositionData<L extends string = string> {
  readonly composition_id: Uuid;
  readonly text: string;
  readonly static_length: number;
  readonly segments: any;
  readonly layers: { readonly [name: string]: ComposedLayer };
  readonly items: readonly ComposedItem[];
  readonly asked_by?: string;
  readonly tokens: any;
  readonly cache: any;
  readonly manifest: any;
  readonly intent: string;
  readonly position: any;
  readonly usage_position: any;
  readonly as_of: Instant;
  readonly degraded: readonly any[];
  readonly warnings: readonly any[];
  readonly trace?: any;
}
export interface Composition<L extends string = string> extends CompositionData<L> {
  messages(format: string): any;
}
export interface ContextEngine {
  readonly manifests: any;
  composeBlockContext(request: ComposeRequest): Promise<Composition>;
  readonly scopes: {
    create<T extends string>(input: { readonly type: T; readonly [key: string]: any }, options?: any): Promise<{ readonly scope_block_uuid: ScopeUuid<T>; readonly result: any }>;
    getOrCreate<T extends string>(input: { readonly type: T; readonly [key: string]: any }, options?: any): Promise<{ readonly scope_block_uuid: ScopeUuid<T>; readonly is_new: boolean; readonly result: any }>;
    find(key: string, options?: any): Promise<any>;
    list(options?: any): Promise<readonly any[]>;
  };
  append(scope: ScopeUuid, turns: any, options?: any): Promise<any>;
  remember(scope: ScopeUuid, facts: any, options?: any): Promise<any>;
  setTyped(scope: ScopeUuid, ...rest: any[]): Promise<any>;
  ingest(scope: ScopeUuid, source: any, options?: any): Promise<any>;
  documents(scope: ScopeUuid, options?: any): Promise<any>;
  correct(root: string, correction: any, options?: any): Promise<any>;
  undo(operation: string, options?: any): Promise<any>;
  summarize(scope: ScopeUuid, summary: any, options?: any): Promise<any>;
  link(scope: ScopeUuid, link: any, options?: any): Promise<any>;
  unlink(scope: ScopeUuid, linkRoot: string, options?: any): Promise<any>;
  write(operations: any, options?: any): Promise<any>;
  recordOutcome(outcome: any, options?: any): Promise<any>;
  explain(composition: any, options?: any): Promise<any>;
  replay(composition: any, options?: any): Promise<any>;
  preview(asked: any, options?: any): Promise<any>;
  history(rootUuid: string, options?: any): Promise<any>;
  exportScope(scope: ScopeUuid, options?: any): AsyncIterable<any>;
  importScope(lines: any, options?: any): Promise<any>;
  embedPending(options?: any): Promise<any>;
  forget(target: any, options?: any): Promise<any>;
  capture(scope: ScopeUuid, input?: any, options?: any): Promise<any>;
  readonly captures: any;
  readonly jobs: any;
  readonly mounts: any;
  keyedDigests(options?: any): Promise<any>;
  readonly erasure: any;
  readonly facts: any;
  readonly core: any;
  readonly costs: any;
  readonly approvals: any;
  readonly principals: any;
  readonly audit: any;
  as(profile: PermissionProfile): BoundEngine;
  health(): Promise<any>;
  close(): Promise<void>;
}
export interface BoundEngine extends Omit<ContextEngine, 'composeBlockContext' | 'as' | 'close'> {
  composeBlockContext(request: Omit<ComposeRequest, 'permission_profile'>): Promise<Composition>;
}
export type ComposeBlockContext = (request: ComposeRequest) => Promise<Composition>;
export type EngineOptions = any;
export type CallOptions = any;
export declare function createContextEngine(options?: any): Promise<ContextEngine>;
export declare function composeBlockContext(request: ComposeRequest): Promise<Composition>;
export declare function closeDefaultEngine(): Promise<void>;
export declare const LOCAL_PROFILE: PermissionProfile;
export declare const VERSION: string;
export declare class ContextEngineError extends Error { readonly code: string; readonly fix: string; }
declare const everything: {
  readonly composeBlockContext: typeof composeBlockContext;
  readonly createContextEngine: typeof createContextEngine;
};
export default everything;
`;
