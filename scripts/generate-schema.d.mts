type Schema = Readonly<Record<string, unknown>>;
/** Path -> text of every file that follows from the schema of manifests. */
export function generateArtifacts(schemas: {
  readonly manifestSchema: Schema;
  readonly shapeSchema: Schema;
}): Readonly<Record<string, string>>;
/** Path -> text of the validators of public inputs. */
export function generateInputs(
  schemas: Readonly<Record<string, object>>,
): Readonly<Record<string, string>>;
