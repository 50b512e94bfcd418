/** A model whose tokenizer and window are not known. */
import { isKnownModel, MODEL_PREFIXES } from '../../model/language-model.ts';
import { nearest } from '../suggest.ts';
import type { LintRule } from './rule.ts';

/** A name of a model is a family and a version; a slip is looked for in the family. */
function meant(name: string): string {
  const families = [...new Set(MODEL_PREFIXES.map(familyOf))];
  const near = nearest(familyOf(name), families, 2);
  return near === undefined || near === familyOf(name)
    ? ''
    : ` Did you mean \`${near}${name.slice(familyOf(name).length)}\`?`;
}
const familyOf = (name: string): string => /^[A-Za-z]*/.exec(name)?.[0] ?? '';

export const unknownModel: LintRule = ({ manifest: { model }, spec }, report) => {
  if (spec.model === undefined || isKnownModel(model.name)) return;
  report({
    code: 'MANIFEST.UNKNOWN_MODEL',
    at: ['spec', 'model'],
    message:
      `The tokenizer and the window of \`${model.name}\` are not known: tokens are counted ` +
      `conservatively.${meant(model.name)}`,
    fix: 'Correct the name, or keep it: budgets hold, and leave some room unused.',
  });
};
