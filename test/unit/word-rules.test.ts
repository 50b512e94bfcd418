/** The terms of a text are stored: who changes them changes what old databases are found by. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { indexText, queryTerms, WORD_RULES } from '../../src/text/bm25.ts';

const TEXTS = [
  'Where does parseHTTPRequest read src/text/terms.ts, v1.2.3 and snake_case_name?',
  'Die Häuser am Fluss sind größer. Où est la gare routière ?',
  'Завтра встречаемся у вокзала. 明日の会議はコーヒーの後です。下周三在北京开会。',
  'a3f9c2e1b7d8 2026-03-01 Ünïcödé ＡＢＣ ไทย emoji 🙂 don’t',
];

it('the terms are those of the rules that the database stores', () => {
  const terms = TEXTS.map((text) => [
    [...indexText(text).counts].sort(([a], [b]) => (a < b ? -1 : 1)),
    indexText(text).length,
    queryTerms(text),
  ]);
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16);
  // Another digest: raise WORD_RULES, and add a migration that fills `context_ops.word_backlog`.
  expect({ rules: WORD_RULES, digest }).toEqual({ rules: 2, digest: '1eb4884a442bd560' });
});
