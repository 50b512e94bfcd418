/**
 * Examples of manifests/README.md, by section; test/unit/manifest-docs.test.ts parses each of them.
 * Those of `spec` stand for a part of a manifest.
 */
export const EXAMPLES = {
  whole: `
# yaml-language-server: $schema=./schema/v1.json
apiVersion: contextengine/v1
kind: ContextDomain
metadata:
  name: support-thread
  version: 3
  scope_block_type: support_thread
spec:
  layers:
    system: { text: "You help customers of {{product}}." }
    recent: { limit: 12 }
    open_set: { top_k: 8 }
    semantic: { top_k: 5 }
  inputs:
    product: { required: true }
`,
  model: `
spec:
  model: window_8k # 5,000 tokens for the layers, 3,192 kept free
`,
  layers: `
spec:
  layers:
    system: { text: "You help customers." }
    recent: {}     # the defaults of its kind
    summary: false # written down, but off
    open_set: { top_k: 8, categories: [preference, decision] }
    # a second layer of a kind, under a name of its own
    open_issues: { kind: open_set, top_k: 3, tags: [issue] }
    semantic: { top_k: 5, max_tokens: 1500, scoring: { floor: 0.2 } }
`,
  inputs: `
spec:
  layers:
    system: { text: "You help customers of {{product}} in {{language}}." }
  inputs:
    product: { required: true, description: The name of the product. }
    language: { default: English }
`,
  intents: `
spec:
  layers: { recent: {}, summary: {}, schema_typed: {}, semantic: {} }
  intents:
    follow_up: { layers: [recent, summary] }                     # a built-in one, changed: exactly these
    refund: { layers: [+schema_typed, -semantic], lambda: fact } # one of your own: every layer, with these changes
`,
  budget: `
spec:
  layers: { recent: {}, semantic: {} }
  budget:
    total_tokens: 4000
    min_per_layer: { recent: 800 }
    max_per_layer: { semantic: 1500 }
    reserve: { query: 1000, response: 2000, safety: 192 }
`,
  scoring: `
spec:
  layers:
    open_set: {}
    semantic: { scoring: { preset: archival, recency_half_life_hours: 24 } } # this layer alone
  scoring:
    formula: "sim * pow(R, lambda) * (0.5 + 0.5 * confidence)"
    lambda_by_intent: { fact: 0.0, temporal: 0.5, reasoning: 1.0 }
    floor: 0.2
    fusion: { dense: 0.6 } # and 0.4 for the words
`,
  permission: `
spec:
  permission: { reads: T1, writes: T2, cross_scope: T3, deletes: excluded }
`,
  cache: `
spec:
  cache: { ttl_seconds: 5 }
`,
  render: `
spec:
  render: { format: markdown, datamark: true }
`,
  bypass: `
spec:
  bypass: [cache, remember] # compose anew every time, and keep no receipt
`,
  distillation: `
spec:
  distillation: { policy: every_3_turns OR token_pressure_70pct, cost_budget_usd_per_day: 0.50 }
`,
  writing: `
spec:
  writing:
    capture: true
    into: { preference: user, fact: user, rule: user, lookup: user, procedure: user, lesson: user, typed: user } # a state stays
    never: [salary, off the record]
`,
  retention: `
spec:
  retention: { grace_days: 7, turns_days: 365 }
`,
  variants: `
spec:
  layers: { semantic: { top_k: 8 } }
  variants:
    # half of the scopes are served as written
    strict_floor: { weight: 0.1, scoring: { floor: 0.3 } }
    wide: { weight: 0.4, layers: { semantic: { top_k: 20 } }, budget: { total_tokens: 6000 } }
`,
  collection: `
apiVersion: contextengine/v1
kind: Collection
metadata: { name: customer_profile, version: 1 }
spec:
  properties:
    language: { type: option, options: [en, de, fr], description: The language of answers. }
    products: { type: text, cardinality: many }
    customer_since: { type: date }
`,
};
