/** Conventions. */
import { blocksOfTypes } from './blocks-of-types.ts';
import { defineLayer } from './definition.ts';

const BLOCK_TYPES = ['convention'];

export const project = defineLayer({
  name: 'project',
  summary: 'Conventions that hold for every call.',
  rank: 2,
  cut: 'sentences',
  changes: 'slowly',
  isPrefix: true,
  isInstructing: true,
  blockTypes: BLOCK_TYPES,
  hidesFromSearch: true,
  keys: ['text', 'file', 'block_types'],
  reads: blocksOfTypes(BLOCK_TYPES),
});
