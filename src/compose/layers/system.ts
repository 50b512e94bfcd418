/** Instructions of the manifest; they say that retrieved text is data. Never cut. */
import type { LayerDefinition } from '../state.ts';
import { trustedText } from './offer.ts';

export const system: LayerDefinition = {
  plan: () => [],
  offer: (layer, answers) => ({ candidates: trustedText(layer, answers.plan.values) }),
};
