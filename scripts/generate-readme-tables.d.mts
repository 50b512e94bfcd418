/** The table of error codes as Markdown. */
export function errorTable(codes: Readonly<Record<string, { readonly retryable: boolean; readonly summary: string }>>): string;
/** The text with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
export function withTable(text: string, name: string, table: string): string;
