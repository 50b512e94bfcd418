type Schema = Readonly<Record<string, unknown>>;
/** Path -> text of every file that follows from the schema of manifests. */
export function generateArtifacts(schemas: {
  readonly manifestSchema: Schema;
  readonly shapeSchema: Schema;
}): Readonly<Record<string, string>>;
