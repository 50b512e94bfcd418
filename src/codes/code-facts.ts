/** What a code can be, and how a row of the table says it. */

/** Who finds it: loading a manifest, its lint, lock and types, the lint of code, the eval gate. */
export type Finder = 'load' | 'lint' | 'pin' | 'code' | 'gate';

export interface CodeFacts {
  readonly meaning: string;
  /** For a code whose message has no fix of its own. */
  readonly fix?: string;
  /** Thrown as `ContextEngineError`. `retryable`: the same call again can succeed. */
  readonly error?: { readonly retryable: boolean };
  /** Reported as data, never thrown. */
  readonly finding?: { readonly severity: 'error' | 'warning'; readonly by: Finder };
  /** Travels with a composition. Findings of severity `warning` of its manifest do so too. */
  readonly warning?: true;
}

export const error = (meaning: string) => ({ meaning, error: { retryable: false } }) as const;
export const retryable = (meaning: string) => ({ meaning, error: { retryable: true } }) as const;
export const warning = (meaning: string, fix: string) => ({ meaning, fix, warning: true }) as const;
export const finding = <By extends Finder>(
  by: By,
  severity: 'error' | 'warning',
  meaning: string,
) => ({ meaning, finding: { severity, by } }) as const;
