/** Names that are members of every object are names like any other. */
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../src/manifest/parse.ts';

/** The only one that the pattern of names lets pass. */
const name = 'constructor';

describe('an intent and an input named `constructor`', () => {
  it('load', () => {
    const { manifest } = parseManifest(
      `apiVersion: contextengine.example/v1
kind: ContextDomain
metadata: { name: odd, version: 1, scope_block_type: odd }
spec:
  model: gpt-4o
  layers: { system: { text: "{{${name}}}" }, recent: {} }
  inputs: { ${name}: { default: given } }
  intents: { ${name}: { layers: [recent] } }
  scoring: { lambda_by_intent: { ${name}: 0.5 } }
`,
      { path: 'odd.yaml' },
    );
    expect(manifest?.intents[name]).toMatchObject({ name, lambda: 0.5 });
    expect(manifest?.inputs[name]?.default).toBe('given');
  });

  it('have the default lambda where none is written', () => {
    const { manifest } = parseManifest(
      `apiVersion: contextengine.example/v1
kind: ContextDomain
metadata: { name: odd, version: 1, scope_block_type: odd }
spec: { model: gpt-4o, layers: { recent: {} }, intents: { ${name}: { layers: [recent] } } }
`,
      { path: 'odd.yaml' },
    );
    expect(manifest?.intents[name]?.lambdaClass).toBe('temporal');
  });
});
