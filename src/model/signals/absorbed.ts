/** Another document has taken it in. */
import { defineSignal } from './definition.ts';

export const absorbedSignal = defineSignal({
  name: 'absorbed',
  meaning: '1 where an `absorbed_by` link leads away from the item or its document',
  range: [0, 1],
  of: ({ standing }) => standing && Number(standing.isAbsorbed),
});
