/** Examples of manifests/README.md, by section. */
export const EXAMPLES: Readonly<Record<string, string>>;
