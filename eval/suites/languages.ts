/**
 * Seven languages, thirty statements and thirty questions each, written for this repository: a
 * question says otherwise what its statement says. `data/languages/LANGUAGE.tsv`: statement, tab,
 * question.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../../src/index.ts';
import type { EvalQuestion, EvalStore, EvalSuite } from '../suite.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'zh', 'ja'] as const;
const FIRST_DAY = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;

/** `fileOf` gives the path of a data file by its name. Throws `EVAL.DATA`. */
export function languagesSuite(scopeType: string, fileOf: (name: string) => string): EvalSuite {
  const digest = createHash('sha256');
  const stores: EvalStore[] = [];
  const questions: EvalQuestion[] = [];
  for (const language of LANGUAGES) {
    const file = fileOf(`data/languages/${language}.tsv`);
    const text = readFileSync(file, 'utf8');
    digest.update(text);
    const pairs = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    stores.push({
      key: language,
      scopeType,
      title: language,
      inherits: [],
      now: new Date(FIRST_DAY + (pairs.length + 24) * HOUR_MS).toISOString(),
      turns: pairs.map(([content = ''], index) => ({
        key: `${language}/${index + 1}`,
        content,
        role: 'user',
        occurred_at: new Date(FIRST_DAY + index * HOUR_MS).toISOString(),
      })),
      facts: [],
      typed: [],
    });
    for (const [index, [, query, ...more]] of pairs.entries()) {
      if (query === undefined || more.length > 0)
        throw new ContextEngineError('EVAL.DATA', {
          message: `Line ${index + 1} of \`${file}\` is not a statement, a tab and a question.`,
          fix: 'Correct the line.',
          where: { file, line: index + 1 },
        });
      questions.push({
        id: `${language}/q${index + 1}`,
        category: language,
        store: language,
        query,
        layer: 'semantic',
        evidence: [`${language}/${index + 1}`],
        intent: 'fact',
        side: index % 2 === 0 ? 'dev' : 'held_out',
      });
    }
  }
  return { name: 'languages', dataSha256: digest.digest('hex'), stores, questions, skipped: [] };
}
