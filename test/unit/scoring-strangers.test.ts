import { describe, expect, it } from 'vitest';
import { blockContent, factContent } from '../../src/conformance/law-operations.ts';
import { DEFAULT_SCORING } from '../../src/manifest/defaults.ts';
import type { BlockRow } from '../../src/model/block.ts';
import { type PooledRow, readPool } from '../../src/scoring/conversation.ts';
import { namesIn, strangers } from '../../src/scoring/strangers.ts';
import { isUnnamed } from '../../src/scoring/unnamed.ts';
import { indexText, type Lexicon, queryTerms } from '../../src/text/bm25.ts';

const { latest } = DEFAULT_SCORING;

describe('namesIn', () => {
  it.each([
    ['When did Caroline go to the group?', ['Caroline']],
    ["What is Melanie's hobby, and Jean-Luc's?", ['Melanie', 'Jean-Luc']],
    ['Did she like "The Four Seasons" by Vivaldi?', ['The', 'Four', 'Seasons', 'Vivaldi']],
    ['What happened on 3 June or on a Tuesday?', []],
    ['Where is it? Nobody knows. I’m lost: Help', []],
    ['WHAT DID CAROLINE SAY TO NASA', []],
    ['wer war in Österreich', ['Österreich']],
    ['What did Mr. Smith pay to Dr. Jones?', ['Smith', 'Jones']],
    ["Did 'Caroline' pay the Millers' rent?", ['Caroline', 'Millers']],
    ['- Pay the invoice\n- Check the meeting', []],
    ['', []],
  ])('of %j', (query, names) => {
    expect(namesIn(query)).toEqual(names);
  });
});

describe('strangers', () => {
  const missing = (term: string): boolean => ['carolin', 'vivaldi', 'season'].includes(term);

  it('is the share of the names whose every term is missing', () => {
    expect(strangers('When did Caroline meet Melanie?', missing)).toBe(0.5);
    expect(strangers('When did Caroline leave?', missing)).toBe(1);
    expect(strangers('when did she leave?', missing)).toBe(0);
  });

  it('reads so many names of a query of any length', () => {
    expect(strangers('and Caroline '.repeat(7_700), missing)).toBe(1);
    const many = Array.from(
      { length: 5_000 },
      (_, n) => `Ab${'xyz'[n % 3]}${String.fromCharCode(97 + (n % 26))}-${n}`,
    );
    expect(namesIn(`of ${many.join(' ')}`)).toHaveLength(32);
  });
});

describe('isUnnamed', () => {
  const isMissing = (term: string): boolean => term === 'carolin';
  const of = (query: string, isParticipantNamed = false): boolean =>
    isUnnamed(query, { isParticipantNamed, isMissing });

  it.each([
    'When did they go camping?',
    'which US cities has she visited',
    'WHEN DID THEY GO CAMPING IN THE US?',
    'When did they meet Caroline?',
  ])('%j may be about anybody', (query) => {
    expect(of(query)).toBe(true);
    expect(of(query, true)).toBe(false);
  });

  it.each([
    ['When did I go camping?', 'the speaker'],
    ["What's our rent?", 'the speaker'],
    ['Did Melanie go camping?', 'a name of the store'],
    ['the script that fills the database', 'words that are looked up'],
    ['Wann ging sie zelten?', 'another language'],
    ['彼らはいつキャンプに行った？', 'another language'],
    ['Was kostet die Konzertkarte in Bayreuth?', 'another language with words of English'],
    ['WHAT IS THE NAME OF MY DOG?', 'the speaker, in capitals'],
    [`When did they go? ${'and so on '.repeat(200)}`, 'a pasted text'],
    ['', 'nothing'],
  ])('%j is about %s', (query) => {
    expect(of(query)).toBe(false);
  });
});

describe('the signals of a pool', () => {
  /** Texts: a store so large says everything by what it lacks. */
  const LARGE = 1e12;
  const turn = (uuid: string, content: string, author: string): PooledRow => ({
    uuid,
    text: content,
    at: '2026-01-01T00:00:00.000Z',
    block: {
      ...blockContent(content, { author }),
      uuid,
      scope_uuid: 'scope',
    } as unknown as BlockRow,
    beside: { previous: null, next: null },
  });
  const rows = [
    turn('a', 'The house in Norway was cold', 'Noor'),
    turn('b', 'Nobody heard the alarm', 'Anselm'),
    // Shows that the store writes small what the questions write small.
    turn('c', 'And what did they do there, who was in it?', 'Noor'),
  ];
  const fact: PooledRow = {
    uuid: 'f',
    text: factContent('Ships on Fridays').content,
    at: '2026-01-02T00:00:00.000Z',
    block: null,
    beside: null,
  };

  const rounded = (value: number | undefined) => value && Math.round(value * 1e6) / 1e6;
  const signalsIn = (query: string, uuid: string, lexicon: Lexicon | null) =>
    readPool({ rows: [...rows, fact], query, lexicon, similarity: null, latest }).conversationOf(
      uuid,
    );
  const signalOf = (
    query: string,
    uuid = 'a',
    lexicon: Lexicon | null = lexiconOf(query),
  ): number | undefined => rounded(signalsIn(query, uuid, lexicon)?.strangers);
  const lexiconOf = (query: string): Lexicon => {
    const texts = rows.map(({ text }) => indexText(text));
    const frequency = (term: string): number =>
      texts.filter(({ counts }) => counts.has(term)).length;
    return {
      documents: LARGE,
      mean_length: 4,
      mean_document_length: 0,
      frequencies: Object.fromEntries(queryTerms(query).map((term) => [term, frequency(term)])),
    };
  };

  it('knows the words of the store and the authors, and forms that begin alike', () => {
    expect(signalOf('What did Ingrid say?')).toBe(1);
    expect(signalOf('What did Noor say to Ingrid?')).toBe(0.5);
    expect(signalOf('Who lives in Norway?')).toBe(0);
    expect(signalOf('Was the Norwegian house cold?')).toBe(0);
  });

  it('is the same for every block, and 0 for facts, whose names often stand elsewhere', () => {
    expect(signalOf('What did Ingrid say?', 'b')).toBe(1);
    expect(signalOf('What did Ingrid say?', 'f')).toBe(0);
  });

  it('counts all words of the question by their weight, whatever their case', () => {
    const unseenOf = (query: string, uuid = 'a'): number =>
      rounded(signalsIn(query, uuid, lexiconOf(query))?.unseen) ?? 0;
    expect(unseenOf('was the house in norway cold')).toBe(0);
    expect(unseenOf('did ingrid buy a zeppelin')).toBe(1);
    const half = unseenOf('a zeppelin over norway');
    expect(half).toBeGreaterThan(0.3);
    expect(half).toBeLessThan(0.8);
    expect(unseenOf('A ZEPPELIN over Norway')).toBe(half);
    expect(unseenOf('a zeppelin over norway', 'f')).toBe(0);
    expect(unseenOf('what did noor say to a zeppelin')).toBe(unseenOf('say to a zeppelin'));
  });

  it('takes each participant whom the question names for its author', () => {
    const authorOf = (query: string, uuid: string) =>
      signalsIn(query, uuid, lexiconOf(query))?.author;
    expect(authorOf('What did Noor say?', 'a')).toBe(1);
    expect(authorOf('What did Noor say?', 'b')).toBe(0);
    expect(authorOf('What did Noor say to Anselm?', 'a')).toBe(1);
    expect(authorOf('What did Noor say to Anselm?', 'b')).toBe(1);
  });

  it('tells a question that names nobody, of blocks alone', () => {
    const unnamedOf = (query: string, uuid = 'a') =>
      rounded(signalsIn(query, uuid, lexiconOf(query))?.unnamed);
    expect(unnamedOf('When did they hear it?')).toBe(1);
    expect(unnamedOf('When did they hear it?', 'f')).toBe(0);
    expect(unnamedOf('When did Noor hear it?')).toBe(0);
    expect(unnamedOf('Did they hear it in Norway?')).toBe(0);
    expect(unnamedOf('Did they hear it in Zanzibar?')).toBe(1);
  });

  it('takes a capital for a name only where the store writes small what is none', () => {
    const query = 'Wo hat Noor den Zeppelin gekauft?';
    const strangersIn = (...texts: readonly string[]) =>
      readPool({
        rows: texts.map((text, index) => turn(`${index}`, text, 'Noor')),
        query,
        lexicon: lexiconOf(query),
        similarity: null,
        latest,
      }).conversationOf('0')?.strangers;
    const german = [
      'Gestern hat der Mann den Wagen in die Werkstatt zum Meister gefahren',
      'Die Frau hat den Schlüssel von dem Haus und den Hund in dem Auto',
    ];
    expect(strangersIn(...german)).toBe(0);
    expect(strangersIn('He sold the car.')).toBe(0);
    expect(strangersIn(...german.map((text) => text.toLowerCase()))).toBeCloseTo(0.5, 6);
  });

  it('says little where the store is small', () => {
    const query = 'What did Ingrid say?';
    const small = { ...lexiconOf(query), documents: 30 };
    expect(signalsIn(query, 'a', small)?.unnamed).toBeLessThan(0.02);
    expect(signalsIn(query, 'a', small)?.strangers).toBeLessThan(0.02);
    expect(signalsIn(query, 'a', small)?.unseen).toBeLessThan(0.02);
  });

  it('is 0 where the store was not asked', () => {
    expect(signalOf('What did Ingrid say?', 'a', null)).toBe(0);
    expect(
      signalOf('What did Ingrid say?', 'a', {
        documents: 2,
        mean_length: 4,
        mean_document_length: 0,
        frequencies: {},
      }),
    ).toBe(0);
  });
});
