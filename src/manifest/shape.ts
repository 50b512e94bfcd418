/**
 * Checks the shape of a document by the generated validator, and says what is wrong in the words of
 * findings.
 */
import { isLayerKind, LAYER_KIND_NAMES } from '../layers/index.ts';
import { shown } from '../model/ids.ts';
import {
  type SchemaProblem,
  type Validator,
  validateCollection,
  validateContextDomain,
} from './generated/validate.js';
import type { Path, Report, Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import type { RawCollection, RawContextDomain } from './wire-manifest.ts';

/** True if the rest of the check can go on: unknown keys are reported, but hinder nothing. */
export const isContextDomain = (value: unknown, reporter: Reporter): value is RawContextDomain =>
  hasShape(validateContextDomain, value, reporter);
export const isCollection = (value: unknown, reporter: Reporter): value is RawCollection =>
  hasShape(validateCollection, value, reporter);

function hasShape(validate: Validator, value: unknown, reporter: Reporter): boolean {
  if (validate(value)) return true;
  const problems = validate.errors ?? [];
  let isUsable = true;
  for (const problem of problems) {
    // The rule that a name breaks; the name itself is reported by `propertyNames`.
    if (problem.propertyName !== undefined) continue;
    if (problem.keyword !== 'additionalProperties') isUsable = false;
    reporter.report(toReport(problem, pathOf(problem.instancePath)));
  }
  return isUsable;
}

const pathOf = (instancePath: string): Path =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));

function toReport(problem: SchemaProblem, path: Path): Report {
  const { keyword, params, parentSchema, data } = problem;
  const name = `\`${path.at(-1) ?? 'the document'}\``;
  const about =
    typeof parentSchema['description'] === 'string' ? ` ${parentSchema['description']}` : '';
  if (isUnknownLayer(path)) {
    const layer = String(path[2]);
    const fix = `${didYouMean(layer, LAYER_KIND_NAMES)} For a name of your own, write \`kind\` as well.`;
    return {
      code: 'MANIFEST.UNKNOWN_LAYER',
      at: path,
      on: 'key',
      message: `\`${shown(layer)}\` is not a kind of layer.`,
      fix,
    };
  }
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const message = `There is no key \`${shown(key)}\` here.`;
    return {
      code: 'MANIFEST.UNKNOWN_KEY',
      at: [...path, key],
      on: 'key',
      message,
      fix: didYouMean(key, keysOf(parentSchema)),
    };
  }
  if (keyword === 'required') {
    const key = String(params['missingProperty']);
    const message = `${path.length === 0 ? 'The document' : name} has no \`${key}\`.`;
    return {
      code: 'MANIFEST.MISSING',
      at: path,
      on: 'key',
      message,
      fix: `Add \`${key}\`.${descriptionOf(parentSchema, key)}`,
    };
  }
  if (keyword === 'propertyNames') {
    const key = String(params['propertyName']);
    const fix = 'Use a lower-case word of a-z, 0-9 and `_` (at most 63).';
    return {
      code: 'MANIFEST.INVALID_VALUE',
      at: [...path, key],
      on: 'key',
      message: `\`${shown(key)}\` is not a name.`,
      fix,
    };
  }
  if (keyword === 'type') {
    const message =
      data === null
        ? `${name} is empty.`
        : `${name} is \`${shown(data)}\`, which is ${typeName(data)}.`;
    const fix = `Give ${typeNames(params['type'])}${data === null ? ', or remove the key' : ''}.${about}`;
    return {
      code: 'MANIFEST.WRONG_TYPE',
      at: path,
      on: data === null ? 'key' : 'value',
      message,
      fix,
    };
  }
  return {
    code: 'MANIFEST.INVALID_VALUE',
    at: path,
    message: `${name} is \`${shown(data)}\`.`,
    fix: `${rule(problem)}${about}`,
  };
}

/** A layer named after no kind must say its kind. */
const isUnknownLayer = (path: Path): boolean =>
  path.length === 3 && path[0] === 'spec' && path[1] === 'layers' && !isLayerKind(String(path[2]));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const keysOf = (schema: Readonly<Record<string, unknown>>): readonly string[] =>
  isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];

function descriptionOf(schema: Readonly<Record<string, unknown>>, key: string): string {
  const property = isRecord(schema['properties']) ? schema['properties'][key] : undefined;
  return isRecord(property) && typeof property['description'] === 'string'
    ? ` ${property['description']}`
    : '';
}

function rule({ keyword, params, parentSchema, data }: SchemaProblem): string {
  const pattern = parentSchema['patternErrorMessage'];
  if (keyword === 'enum' && Array.isArray(params['allowedValues']))
    return didYouMean(
      typeof data === 'string' ? data : shown(data),
      params['allowedValues'].map(String),
    );
  if (keyword === 'const') return `Write \`${String(params['allowedValue'])}\`.`;
  if (keyword === 'pattern')
    return typeof pattern === 'string' ? `Use ${pattern}.` : 'Use another word.';
  if (keyword === 'minimum' || keyword === 'maximum')
    return (
      `Use a number from ${String(parentSchema['minimum'])} to ` +
      `${String(parentSchema['maximum'])}.`
    );
  if (keyword === 'uniqueItems') return 'Write each entry once.';
  if (keyword === 'maxProperties')
    return `Give at most ${String(parentSchema['maxProperties'])} entries.`;
  if (keyword === 'minProperties') return 'Give at least one entry.';
  return 'Use another value.';
}

function typeName(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    object: 'a map of keys',
  };
  return names[typeof value] ?? typeof value;
}

function typeNames(types: unknown): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'a map of keys',
    array: 'a list',
    null: 'nothing',
  };
  return (Array.isArray(types) ? types : String(types).split(','))
    .map((type) => names[String(type)] ?? String(type))
    .join(' or ');
}
