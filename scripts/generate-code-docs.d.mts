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
/** The table of error codes as Markdown. */
export function errorTable(rows: Rows): string;
/** The text of docs/codes.md. */
export function codesPage(rows: Rows): string;
/** The text with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
export function withTable(text: string, name: string, rows: string): string;
