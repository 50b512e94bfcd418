/**
 * The extractors by name and version: apart from their code, which an engine that captures nothing
 * does not load.
 */
import type { StructuredModel } from '../inference/structured-model.ts';

/** Raised whenever a rule changes: what one version captured, the next reads anew. */
const RULE_EXTRACTOR = 'rules/9';
/** Raised whenever question or reading change: what one version captured, the next reads anew. */
const MODEL_EXTRACTOR = 'model/1';

/** The extractor that runs, and its version. */
export const extractorOf = ({ model }: { readonly model: StructuredModel | null }): string =>
  model ? MODEL_EXTRACTOR : RULE_EXTRACTOR;
