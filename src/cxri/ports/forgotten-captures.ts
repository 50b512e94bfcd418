/**
 * The port of what captures made of turns that were forgotten: what they changed is taken back, and
 * what other turns say as well is captured from those.
 */
import type { CaptureReceipt } from '../../model/capture.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { NamedOperation } from '../../model/undo.ts';

export interface ForgottenCaptures {
  /** Versions and proposals that the redaction took out of sight. */
  readonly gone: readonly Uuid[];
  /**
   * Those of which a candidate names one of them as its source or as what it became, or says what
   * waited beside it: of scopes that are held, the earliest first.
   */
  readonly receipts: readonly CaptureReceipt[];
}
export interface ForgottenAsked {
  readonly redaction: Uuid;
  /** With those that name one of these operations. */
  readonly operations?: readonly Uuid[];
}
export interface AmendedCapture {
  readonly was: CaptureReceipt;
  readonly receipt: CaptureReceipt;
}

export interface ForgottenCapturesPort {
  forgottenCaptures(
    tenant: TenantId,
    asked: ForgottenAsked,
    scopes: HeldScopes,
  ): Promise<ForgottenCaptures>;
  /** Of a scope that is held, what was stored under one of the keys. */
  operationsOfKeys(
    tenant: TenantId,
    asked: { readonly scope: Uuid; readonly keys: readonly string[] },
    scopes: HeldScopes,
  ): Promise<readonly Uuid[]>;
  /**
   * What was stored under keys of what followed on the redaction (`keyAfter`): of scopes that are
   * held, the last first.
   */
  operationsAfter(
    tenant: TenantId,
    redaction: Uuid,
    scopes: HeldScopes,
  ): Promise<readonly NamedOperation[]>;
  /** Whether the receipt was kept in the place of `was`; not where that is another one by now. */
  amendCapture(tenant: TenantId, amended: AmendedCapture): Promise<boolean>;
}
