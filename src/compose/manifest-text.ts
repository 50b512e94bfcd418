/** The words of the manifest as a candidate. */
import { authoredText } from '../layers/authored-text.ts';
import type { OfferedCandidate } from '../layers/definition.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { RenderVersion } from '../model/render-version.ts';
import { fillTemplate } from '../render/fill-template.ts';

/** The manifest's own words; what stands in for its placeholders is not, and is escaped. */
export const manifestText = (
  layer: LayerSettings,
  values: Readonly<Record<string, string>>,
  as: { readonly isAsWritten?: boolean; readonly version?: RenderVersion } = {},
): OfferedCandidate[] => {
  const text = fillTemplate(authoredText(layer, as), values, as.version);
  return text === ''
    ? []
    : [
        {
          layer: layer.name,
          key: `${layer.name}/manifest`,
          source: null,
          text,
          hit: {},
          usage: null,
          depth: 0,
          place: 0,
          isTrusted: true,
          isSpare: false,
        },
      ];
};
