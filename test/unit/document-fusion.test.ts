/** Documents are fused as documents, whatever a manifest says of other rows. */
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../src/manifest/parse.ts';

describe('the fusion of documents', () => {
  function layersOf(spec: string) {
    const { manifest, findings } = parseManifest(
      `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: t }\nspec:\n  ${spec}\n`,
      { path: 't.yaml' },
    );
    if (!manifest) throw new Error(JSON.stringify(findings));
    return manifest.layers;
  }

  const fusionOf = (spec: string, layer: string) => {
    const scoring = layersOf(spec).find(({ name }) => name === layer)?.scoring;
    return [scoring?.fusion.dense, scoring?.documentFusion.dense];
  };

  it.each([
    ['nothing is said', 'layers: { semantic: {} }', 'semantic', [0.2, 0.2]],
    [
      'the fusion of all is for other rows',
      'layers: { semantic: {}, documents: {} }\n  scoring: { fusion: { dense: 0.6 } }',
      'semantic',
      [0.6, 0.2],
    ],
    [
      'also in the layer of documents',
      'layers: { documents: {} }\n  scoring: { fusion: { dense: 0.6 } }',
      'documents',
      [0.6, 0.2],
    ],
    [
      'so is that of a layer that brings anything',
      'layers: { semantic: { scoring: { fusion: { dense: 0.6 } } } }',
      'semantic',
      [0.6, 0.2],
    ],
    [
      'a layer of documents says it of documents',
      'layers: { documents: { scoring: { fusion: { dense: 0.6 } } } }',
      'documents',
      [0.6, 0.6],
    ],
    [
      'one of documents holds where it is said',
      'layers: { documents: { scoring: { fusion: { dense: 0.6 }, document_fusion: { dense: 0.5 } } } }',
      'documents',
      [0.6, 0.5],
    ],
    [
      'and for all layers where the manifest says it',
      'layers: { semantic: {}, documents: {} }\n  scoring: { document_fusion: { dense: 0.5 } }',
      'documents',
      [0.2, 0.5],
    ],
  ])('%s', (_, spec, layer, dense) => expect(fusionOf(spec, layer)).toEqual(dense));
});
