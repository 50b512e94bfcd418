/** A newer document stands in its place. */
import { defineSignal } from './definition.ts';

export const replacedSignal = defineSignal({
  name: 'replaced',
  meaning: '1 where a `replaces` link leads to the item or its document',
  range: [0, 1],
  of: ({ standing }) => standing && Number(standing.isReplaced),
});
