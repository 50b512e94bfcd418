/** What is wrong with a request to a connector: its field, the value, and the fix of the schema. */
import { firstProblem } from './check-input.ts';
import { REQUEST_SCHEMAS, type RequestName } from './request-schemas.ts';
import type { FieldSchema } from './schema.ts';

export interface RequestProblem {
  /** Dotted; '' = the request itself. */
  readonly field: string;
  readonly value: unknown;
  readonly fix: string;
}

/** The first field that no connector could answer; null = none. */
export function requestProblem(name: RequestName, request: unknown): RequestProblem | null {
  const problem = firstProblem(name, request);
  if (!problem) return null;
  const { params, instancePath } = problem;
  const missing = params['missingProperty'] ?? params['additionalProperty'];
  const steps = [...instancePath.split('/').slice(1), ...(missing ? [String(missing)] : [])];
  let own: FieldSchema = REQUEST_SCHEMAS[name];
  let value = request;
  const names: string[] = [];
  // The words are those of the innermost schema that has some.
  let found = { field: '', value, fix: own.fix ?? '' };
  for (const step of steps) {
    const isEntry = Array.isArray(value);
    value = Object(value)[step];
    own = (isEntry ? own.items : own.properties?.[step]) ?? {};
    if (!isEntry) names.push(step);
    if (own.fix !== undefined || step === missing)
      found = { field: names.join('.'), value, fix: own.fix ?? found.fix };
  }
  const length = Array.isArray(value) ? value.length : 0;
  return length > (own.maxItems ?? length) ? { ...found, value: length } : found;
}
