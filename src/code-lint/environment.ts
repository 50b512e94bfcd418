/**
 * What the parameters of functions stand for at one path of calls: a wrapper means something else
 * at each of its calls.
 */
import type ts from 'typescript';
import type { TypeScript } from './typescript-module.ts';

export type FunctionNode = ts.SignatureDeclaration & { readonly body?: ts.Node | undefined };
export type CallNode = ts.CallExpression | ts.NewExpression;

export interface ExpressionValue {
  readonly kind: 'expression';
  readonly node: ts.Expression;
  readonly env: Environment;
}

/** What is known of a value before it is looked at. */
export type Value =
  | ExpressionValue
  /** Known by its type alone. `place` is where a finding about it stands. */
  | { readonly kind: 'typed'; readonly type: ts.Type; readonly place: ts.Node }
  /** `...rest` of a pattern: an object without some of its properties. */
  | { readonly kind: 'rest'; readonly of: readonly Value[]; readonly without: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

export interface Environment {
  readonly parameters: ReadonlyMap<ts.ParameterDeclaration, Value>;
  /** The call that entered each function. */
  readonly frames: ReadonlyMap<ts.Node, CallNode>;
  /** Functions without a call in the code: their parameters are known by type. */
  readonly free: ReadonlySet<ts.Node>;
}

export const NO_CALLS: Environment = { parameters: new Map(), frames: new Map(), free: new Set() };

export const expression = (node: ts.Expression, env: Environment): ExpressionValue => ({
  kind: 'expression',
  node,
  env,
});

/** The environment inside a function that is entered by a call. */
export function enter(
  called: { fn: FunctionNode; call: CallNode },
  env: Environment,
  typescript: TypeScript,
): Environment {
  const { fn, call } = called;
  const given = call.arguments ?? [];
  const spread = given.findIndex((argument) => typescript.isSpreadElement(argument));
  const parameters = new Map(env.parameters);
  const declared = fn.parameters.filter(({ name }) => name.getText() !== 'this');
  for (const [index, parameter] of declared.entries()) {
    const argument = given[index];
    const isUnknown = parameter.dotDotDotToken !== undefined || (spread >= 0 && spread <= index);
    if (isUnknown) parameters.set(parameter, { kind: 'unknown' });
    else parameters.set(parameter, argument ? expression(argument, env) : { kind: 'absent' });
  }
  return { parameters, frames: new Map([...env.frames, [fn, call]]), free: env.free };
}

/** The same, where a function has no call that could be entered. */
export const withoutCall = (fn: ts.Node, env: Environment): Environment => ({
  ...env,
  free: new Set([...env.free, fn]),
});
