/** The last of several, where the query asks for now. */
import { defineSignal } from './definition.ts';

export const latestSignal = defineSignal({
  name: 'latest',
  meaning:
    'of a turn, where the query asks for now: how late it stands among the turns that match ' +
    'the query alike; 1 = the last',
  range: [0, 1],
  isOfConversation: true,
  of: ({ conversation }) => conversation?.latest ?? null,
});
