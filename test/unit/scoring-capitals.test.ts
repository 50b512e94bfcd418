import { describe, expect, it } from 'vitest';
import { capitalWeight } from '../../src/scoring/capital-weight.ts';
import { readRepositoryFile } from '../support/source-files.ts';

/** The statements of the evaluation in one language. */
const statementsOf = (language: string): readonly string[] =>
  readRepositoryFile(`eval/data/languages/${language}.tsv`)
    .text.trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');
const english = statementsOf('en');
const german = statementsOf('de');
const french = statementsOf('fr');
const spanish = statementsOf('es');
const russian = statementsOf('ru');

describe('the weight of a capital', () => {
  it.each([
    ['English', 'Where did my sister meet Ottokar?', english],
    ['French', 'Où est-ce que ma sœur a vu Ottokar ?', french],
    ['Spanish', '¿Dónde vio mi hermana a Ottokar?', spanish],
    ['Russian', 'Где моя сестра видела Оттокара?', russian],
  ])('is whole in %s, where names alone have capitals', (_, query, texts) => {
    expect(capitalWeight(query, texts)).toBe(1);
  });

  it('does not depend on the order of what was found', () => {
    const texts = [...german, ...english];
    const query = 'wer wohnt in Xanadu und in Ottokar';
    expect(capitalWeight(query, texts.toReversed())).toBe(capitalWeight(query, texts));
  });

  it('is nothing in German, where every noun has one', () => {
    expect(capitalWeight('Wo hat meine Schwester den Zeppelin gekauft?', german)).toBe(0);
  });

  it('is read from the texts that share the small words of the question, not from the rest', () => {
    const mixed = [...english, ...english.map((text) => `${text} So it was.`), ...german];
    expect(capitalWeight('Wo hat meine Schwester den Zeppelin gekauft?', mixed)).toBe(0);
    expect(capitalWeight('Where did my sister meet Ottokar?', mixed)).toBe(1);
  });

  it('is nothing where no text is written like the question', () => {
    expect(capitalWeight('Wo kauft Frauke ihren Zeppelin?', ['It rained all day.'])).toBe(0);
    expect(capitalWeight('Where is Ottokar?', [])).toBe(0);
  });

  it.each([
    'Where Did My Sister Meet Ottokar?',
    'Where Did My Sister Meet the New Teacher Ottokar?',
  ])('is nothing in a headline: %s', (query) => {
    expect(capitalWeight(query, [...english, 'He did meet the new sister of my teacher.'])).toBe(0);
  });

  it('is whole where a title of a work stands in the question', () => {
    const texts = [...english, 'She did like the four seasons by the sea.'];
    expect(capitalWeight('Did she like "The Four Seasons" by Vivaldi?', texts)).toBe(1);
  });

  it('stays between 0 and 1 for any text', () => {
    for (const query of ['', '???', 'MARA', 'Mara', 'mara', 'Ä'.repeat(5000)])
      for (const texts of [[], [''], ['Mara Mara Mara'], german]) {
        const weight = capitalWeight(query, texts);
        expect(weight).toBeGreaterThanOrEqual(0);
        expect(weight).toBeLessThanOrEqual(1);
      }
  });
});
