/** Task, goals, constraints. */
import { blocksOfTypes } from './blocks-of-types.ts';
import { defineLayer } from './definition.ts';

const BLOCK_TYPES = ['task'];

export const task = defineLayer({
  name: 'task',
  summary: 'The task at hand: goals and constraints.',
  rank: 3,
  cut: 'sentences',
  changes: 'slowly',
  isInstructing: true,
  blockTypes: BLOCK_TYPES,
  hidesFromSearch: true,
  keys: ['text', 'file', 'block_types'],
  reads: blocksOfTypes(BLOCK_TYPES),
});
