/** What a walk along the flow of a value carries, and whom it calls. */
import type ts from 'typescript';
import type { CallNode, FunctionNode } from './environment.ts';
import type { CodeBase } from './references.ts';

/**
 * An expression that holds the value, or something from which `path` leads to it: property names,
 * `#0` for an element, `#*` for any.
 */
export interface Held<S extends string = string> {
  readonly node: ts.Expression;
  readonly path: readonly string[];
  /** What the value is to the visitor. */
  readonly state: S;
}

export interface FlowVisitor<S extends string = string> {
  /** A property of the value is read. What is returned is followed on. */
  readonly read?: (state: S, name: string, place: ts.Node) => Omit<Held<S>, 'node'> | undefined;
  readonly called?: (call: CallNode) => void;
  /** Every expression that is the value. */
  readonly seen?: (node: ts.Expression, state: S) => void;
  /** The calls of a function whose result is the value. */
  readonly callsOf: (fn: FunctionNode) => readonly CallNode[];
  /** Whether a function of the code that is given the value gives it back under the same type. */
  readonly isSame?: (call: ts.CallExpression) => boolean;
  /**
   * Whether a call that the value goes into or comes out of by an unknown function gives the value
   * back.
   */
  readonly isPassedOn: (call: ts.CallExpression, state: S) => boolean;
}

export interface Flow<S extends string = string> {
  readonly base: CodeBase;
  readonly visitor: FlowVisitor<S>;
  readonly push: (node: ts.Expression, path: readonly string[], state: S) => void;
  readonly bind: (name: ts.BindingName, path: readonly string[], state: S) => void;
}
