/**
 * The harness's one door to the YAML parser: data sets, and manifests that are to be varied, are
 * read as plain values.
 */
import { parse } from 'yaml';
import { ContextEngineError } from '../src/index.ts';

/** Throws `EVAL.DATA` with the parser's own words. */
export function readYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${file}\` is not valid YAML: \`${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}\`.`,
      fix: 'Correct the file at the place that the message names.',
      where: { file },
      cause,
    });
  }
}
