/**
 * What the calls of the compose function ask for: one reading for each path of calls on which a
 * call asks for something else.
 */
import type ts from 'typescript';
import { type ComposeCall, callsOf } from './calls.ts';
import {
  type Environment,
  enter,
  expression,
  NO_CALLS,
  type Value,
  withoutCall,
} from './environment.ts';
import { startEvaluation } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { type Field, type Shape, shapesOf } from './object-shape.ts';
import type { CodeBase } from './references.ts';
import { NO_TEXTS, scopeTypesOf, type Texts, textsOf } from './text-values.ts';

export interface GivenInputs {
  readonly shapes: readonly Shape[];
  /** They can be left out. */
  readonly isMaybeAbsent: boolean;
  /** Where what is missing should stand. */
  readonly place: ts.Node;
}

export interface Reading {
  readonly call: ComposeCall;
  readonly env: Environment;
  readonly manifest: Texts;
  readonly scopeType: Texts;
  readonly intent: Texts;
  /** `none` where the request has none, `unknown` where it may. */
  readonly inputs: GivenInputs | 'none' | 'unknown';
  /** The tiers of reading that the profile, and the one that it acts for, claim. */
  readonly reads: Texts;
  /** Those of reading other scopes; none where the call reads none. */
  readonly crossScope: Texts;
  readonly hasApproval: boolean;
}

/** Calls of wrappers of wrappers. */
const MAX_FRAMES = 6;
/** Readings of one call: a wrapper that half a project calls. */
const MAX_READINGS = 2000;

/** Every reading of a call. */
export function readCall(base: CodeBase, call: ComposeCall): readonly Reading[] {
  const readings: Reading[] = [];
  const open: Environment[] = [NO_CALLS];
  for (
    let env = open.pop();
    env !== undefined && readings.length < MAX_READINGS;
    env = open.pop()
  ) {
    const run = startEvaluation(base, env);
    const found = readOnce(call, env, run);
    const [fn] = run.touched;
    if (fn === undefined) {
      readings.push(...found);
      continue;
    }
    const at = env;
    const calls =
      at.frames.size >= MAX_FRAMES
        ? []
        : callsOf(base, fn).filter((site) => ![...at.frames.values()].includes(site));
    if (calls.length === 0) open.push(withoutCall(fn, at));
    for (const site of calls) open.push(enter({ fn, call: site }, at, base.ts));
  }
  return readings;
}

function readOnce(call: ComposeCall, env: Environment, run: Evaluation): readonly Reading[] {
  const shapes = call.request ? shapesOf(expression(call.request, env), run) : [];
  const known: readonly (Shape | undefined)[] = shapes.length === 0 ? [undefined] : shapes;
  return known.map((shape) => readShape({ call, env, shape }, run));
}

interface Asked {
  readonly call: ComposeCall;
  readonly env: Environment;
  readonly shape: Shape | undefined;
}

function readShape({ call, env, shape }: Asked, run: Evaluation): Reading {
  const texts = (
    name: string,
    read: (values: readonly Value[], run: Evaluation) => Texts = textsOf,
  ): Texts => {
    const field = shape?.fields.get(name);
    if (!field) return { ...NO_TEXTS, isComplete: shape !== undefined && !shape.isOpen };
    const found = read(field.values, run);
    return field.isOptional ? { ...found, isMaybeAbsent: true } : found;
  };
  const isCrossing = shape?.fields.has('include_scopes') ?? false;
  return {
    call,
    env,
    manifest: texts('manifest'),
    scopeType: scopeTypeOf({ call, env, shape }, texts('scope_block_uuid', scopeTypesOf), run),
    intent: texts('intent'),
    inputs: readInputs({ call, env, shape }, run),
    reads: texts('permission_profile', (values) => tierOf(values, 'reads', run)),
    crossScope: isCrossing
      ? texts('permission_profile', (values) => tierOf(values, 'cross_scope', run))
      : NO_TEXTS,
    hasApproval: shape?.fields.has('approval') ?? true,
  };
}

/** Where the request is not written out, its type may still say what the scope is. */
function scopeTypeOf({ call, env }: Asked, found: Texts, run: Evaluation): Texts {
  if (found.texts.length > 0 || !call.request) return found;
  const property = run.base.checker.getTypeAtLocation(call.request).getProperty('scope_block_uuid');
  if (!property) return found;
  const type = run.base.checker.getTypeOfSymbolAtLocation(property, call.request);
  const typed = scopeTypesOf([{ kind: 'typed', type, place: call.request }], run);
  return typed.texts.length > 0 && env.frames.size === 0 ? typed : found;
}

function readInputs({ call, env, shape }: Asked, run: Evaluation): Reading['inputs'] {
  const field = shape?.fields.get('inputs');
  if (!shape || (!field && shape.isOpen)) return 'unknown';
  if (!field) return 'none';
  const shapes = field.values.flatMap((value) => shapesOf(value, run));
  if (shapes.length === 0) return 'none';
  return { shapes, isMaybeAbsent: field.isOptional, place: placeOf(field, { call, env, run }) };
}

/** The `inputs` key; what a wrapper was called with, where the inputs come from there. */
function placeOf(
  field: Field,
  { call, env, run }: Pick<Asked, 'call' | 'env'> & { run: Evaluation },
): ts.Node {
  const [value] = field.values;
  const next = value?.kind === 'expression' ? run.expand(value, run)?.[0] : undefined;
  if (next?.kind !== 'expression') return field.key;
  const site = [...env.frames.values()].find(({ arguments: given }) =>
    given?.some((argument) => argument === next.node),
  );
  return site && site !== call.node ? next.node : field.key;
}

/** The tier of an operation in `tiers` of a profile and of the profile that it acts for. */
function tierOf(values: readonly Value[], key: string, run: Evaluation): Texts {
  const profiles = values.flatMap((value) => shapesOf(value, run));
  const inner = (shapes: readonly Shape[], name: string): readonly Shape[] =>
    shapes.flatMap((shape) =>
      (shape.fields.get(name)?.values ?? []).flatMap((value) => shapesOf(value, run)),
    );
  const tables = inner([...profiles, ...inner(profiles, 'on_behalf_of')], 'tiers');
  const found = tables.flatMap((table) => textsOf(table.fields.get(key)?.values ?? [], run).texts);
  // A type that allows several tiers claims none of them.
  const texts = found.filter(({ isOneOf }) => isOneOf !== true);
  return { texts, isComplete: true, isMaybeAbsent: texts.length === 0 };
}
