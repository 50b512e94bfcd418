/** What the caller wants: picks the layers that fire and the λ class of the score. */

/**
 * How much forgetting counts: fact 0, temporal 0.5, reasoning 1 (seed values of the `governed`
 * formula).
 */
export const LAMBDA_CLASSES = ['fact', 'temporal', 'reasoning'] as const;
export type LambdaClass = (typeof LAMBDA_CLASSES)[number];
export const DEFAULT_LAMBDA: Readonly<Record<LambdaClass, number>> = {
  fact: 0,
  temporal: 0.5,
  reasoning: 1,
};

export interface BuiltInIntent {
  readonly lambda: LambdaClass;
  /** `'*'` = every layer that the manifest enables. */
  readonly fires: '*' | readonly string[];
  readonly skips: readonly string[];
}

/** Layers of rank 1 (`system`, `core`) fire with every intent. */
export const BUILT_IN_INTENTS = {
  follow_up: { lambda: 'temporal', fires: '*', skips: [] },
  new_topic: { lambda: 'temporal', fires: '*', skips: ['recent'] },
  compare: { lambda: 'reasoning', fires: '*', skips: ['recent'] },
  recall_decision: {
    lambda: 'fact',
    fires: ['index', 'project', 'pinned', 'summary', 'schema_typed'],
    skips: ['semantic'],
  },
  creative: {
    lambda: 'reasoning',
    fires: [
      'project',
      'task',
      'recent',
      'open_set',
      'semantic',
      'procedures',
      'archival',
      'neighbours',
    ],
    skips: ['pinned', 'summary', 'schema_typed'],
  },
  fact: { lambda: 'fact', fires: '*', skips: ['summary'] },
  reasoning: { lambda: 'reasoning', fires: '*', skips: [] },
  temporal: { lambda: 'temporal', fires: '*', skips: [] },
} as const satisfies Record<string, BuiltInIntent>;
