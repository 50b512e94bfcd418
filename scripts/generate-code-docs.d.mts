type Rows = readonly (readonly [
  string,
  {
    readonly meaning: string;
    readonly fix?: string;
    readonly error?: { readonly retryable: boolean };
    readonly finding?: { readonly severity: string; readonly by: string };
    readonly warning?: true;
  },
])[];
/** The text of docs/codes.md. */
export function codesPage(rows: Rows): string;
