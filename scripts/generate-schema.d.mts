type Schema = Readonly<Record<string, unknown>>;
/** Path -> text of every file that follows from the schema of manifests. */
export function generateArtifacts(schemas: {
  readonly manifestSchema: Schema;
  readonly shapeSchema: Schema;
}): Readonly<Record<string, string>>;
export interface GeneratedPlace {
  readonly folder: string;
  readonly source: string;
}
/** Path -> text of validators, each by the name of its schema; default place: public inputs. */
export function generateInputs(
  schemas: Readonly<Record<string, object>>,
  place?: GeneratedPlace,
): Readonly<Record<string, string>>;
export const EMBEDDERS: GeneratedPlace;
