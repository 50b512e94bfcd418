import type { Command } from '../command.ts';
export const demoCommand: Command = {
  name: 'demo', summary: 'a look at it in a throw-away database', takes: { usage: '', min: 0, max: 0 }, usesLedger: false, flags: {}, examples: ['contextengine demo'],
  run: async () => 0,
};
