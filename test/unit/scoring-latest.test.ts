import { describe, expect, it } from 'vitest';
import { blockContent } from '../../src/conformance/law-operations.ts';
import { DEFAULT_SCORING } from '../../src/manifest/defaults.ts';
import { parseFormula } from '../../src/manifest/formula.ts';
import type { BlockRow } from '../../src/model/block.ts';
import { askedOfNow, presence } from '../../src/scoring/asks-now.ts';
import { type PooledRow, readPool } from '../../src/scoring/conversation.ts';
import { lateness } from '../../src/scoring/latest.ts';
import { relevanceOf, scoreOf } from '../../src/scoring/score.ts';

const { latest: LATEST } = DEFAULT_SCORING;

describe('a question for now', () => {
  it.each([
    'Where does Dana live now?',
    'What is the current owner of the release?',
    'Is she still at Acme?',
    'What’s the latest on the budget?',
    'As of today, who leads it?',
    'Wo wohnt Dana jetzt?',
    'Wer leitet das Projekt derzeit?',
    'Où habite-t-elle actuellement ?',
    '¿Dónde vive ahora?',
    'Где она живёт сейчас?',
    '她现在住在哪里？',
    '彼女は今どこに住んでいますか。今の住所は？',
    '今どこ',
    'いまどこにいるの？',
    'Wohnt Dana noch in Bremen?',
    'Wer hat diese Woche Dienst?',
    'Wie lautet die aktuelle Adresse?',
    'Quelle est son adresse actuelle ?',
    'Travaille-t-il encore ici ?',
    'Какой актуальный адрес?',
    '¿Cuál es mi dirección actual?',
    '¿Quién es el actual jefe?',
    '¿Cuál es el precio actual de la casa?',
    'Кто всё ещё работает там?',
    '他还住在北京吗？',
    'Who still lives in Bremen?',
    'Woran arbeitet Dana gerade?',
    'Quelle est sa dernière adresse ?',
    '¿Dónde sigue viviendo Dana?',
    '¿Cuál es su última dirección?',
    'Какой у неё последний адрес?',
    '这个星期谁值班？',
    '今週の当番は誰ですか',
    'What is so right now?',
  ])('is recognised: %s', (query) =>
    expect(presence(query, LATEST.byTense)).toEqual({ ofTurns: 1, ofFacts: 1 }),
  );

  it.each([
    'Where did Dana live in 2019?',
    'What is known of the snow?',
    'Who knows the answer?',
    'Что случилось?',
    '她什么时候搬家？',
    'Which actual price did we pay?',
    'Who painted the still life?',
    'Who could not sit still?',
    'Where did Dana live before now?',
    'Who leaves two weeks from now?',
    'Who calls now and then?',
    'Which bird swims against the ocean current?',
    'When must it be paid at the latest?',
    'Which song did they play as an encore?',
    'Encore! Which song was it?',
    'Wer hat noch ein Auto?',
    'Wer kommt sonst noch?',
    'War es weder kalt noch nass?',
    'Wann hat sie noch einmal angerufen?',
    'Quand a-t-il chanté encore une fois ?',
    'Quand l’a-t-elle vu la dernière fois ?',
    '¿Cuándo lo vio la última vez?',
    '¿Qué sigue después?',
    'Когда она была там в последний раз?',
    'Wo ist die gerade Linie?',
    'どこにいましたか',
    '今度どこに行きますか',
    '今井さんはどこに住んでいますか',
  ])('is not seen in: %s', (query) => {
    expect(presence(query, LATEST.byTense).ofTurns).toBeLessThan(1);
    expect(presence(query, LATEST.byTense).ofFacts).toBe(0);
  });

  it.each([
    'What is the gym that Ravi goes to?',
    'Remind me of the door code.',
    'Do you know Dana’s address?',
    'Where is my appointment?',
    'Hey, can you tell me what the rate is?',
    'So, who is our vet?',
  ])('is heard in the tense of: %s', (query) => {
    const { ofTurns, ofFacts } = presence(query, LATEST.byTense);
    expect([ofTurns, ofFacts]).toEqual([0.5, 0.5]);
  });

  it.each([
    'What was the gym that Ravi went to?',
    'What is the name of the dog?',
    'What is the reason for the move?',
    'What is one of the plans?',
    'What is the plan for 9 November?',
    'What is the first thing that she did?',
    'What is love?',
    'Which gym does Ravi go to?',
  ])('is not heard in the tense of: %s', (query) =>
    expect(presence(query, LATEST.byTense).ofFacts).toBe(0),
  );

  it.each([
    'Who is on call?',
    'Which van do we take to the market?',
    'How much is the flour?',
    'Quick one: when is the rent due?',
    'Are the crew meetings at the library?',
  ])('is heard by turns alone where nobody is named: %s', (query) =>
    expect(presence(query, LATEST.byTense)).toEqual({ ofTurns: 0.5, ofFacts: 0 }),
  );

  it.each([
    'What does Caroline do?',
    'Why is the sky blue?',
    'What kind of tea do we have?',
    'Who painted the fence?',
    'How do bees fly?',
    'Who leads since 2019?',
  ])('is not heard at all in: %s', (query) =>
    expect(presence(query, LATEST.byTense)).toEqual({ ofTurns: 0, ofFacts: 0 }),
  );

  it('is not looked for in a pasted text', () => {
    expect(presence(`now ${'x'.repeat(2000)}`, LATEST.byTense).ofTurns).toBe(0);
    expect(presence(`What is the code? ${'x'.repeat(2000)}`, LATEST.byTense).ofTurns).toBe(0);
  });
});

describe('what a question for now is about', () => {
  it.each([
    ['As of today, what is the rent?', 'As of , what is the rent?'],
    ['Remind me of the door code.', 'door code.'],
    ['Wo wohnt Dana jetzt?', 'Wo wohnt Dana ?'],
    ['What is the current owner of the release?', 'owner of the release?'],
    // Nothing else is asked.
    ['And now?', 'And ?'],
    ['Now?', 'Now?'],
  ])('leaves out what asks for now: %s', (query, about) =>
    expect(askedOfNow(query).trim().replace(/ {2,}/g, ' ')).toBe(about),
  );
});

describe('the latest of a pool', () => {
  const rowsOf = (isBlock: boolean): readonly PooledRow[] =>
    [1, 2, 3].map((month) => ({
      uuid: `m${month}`,
      text: `The rent of the office is ${month}00 a month`,
      at: `2026-0${month}-01T00:00:00.000Z`,
      block: isBlock
        ? ({ ...blockContent('x'), uuid: `m${month}`, scope_uuid: 's' } as unknown as BlockRow)
        : null,
      beside: null,
    }));
  const latestIn = (rows: readonly PooledRow[], query: string, latest = LATEST) => {
    const pool = readPool({ rows, query, lexicon: null, similarity: null, latest });
    return rows.map(({ uuid }) => pool.latestOf(uuid));
  };

  it.each([
    ['facts', false],
    ['turns', true],
  ])('falls from the last to the first of %s that say the same of another time', (_, isBlock) => {
    const [first, second, last] = latestIn(rowsOf(isBlock), 'What is the rent of the office now?');
    expect(last).toBe(1);
    expect(second).toBeCloseTo(0.7, 9);
    expect(first).toBeCloseTo(0.49, 9);
    expect(latestIn(rowsOf(isBlock), 'Which rent had the office?')).toEqual([0, 0, 0]);
  });

  it('counts half where the tense alone asks for now', () => {
    const [, second, last] = latestIn(rowsOf(false), 'What is the rent of the office?');
    expect([second, last]).toEqual([0.35, 0.5]);
  });

  it('counts a tense by as much as the settings say', () => {
    const query = 'What is the rent of the office?';
    const settings = { ...LATEST, byTense: 1, perPlace: 0.1 };
    const places = latestIn(rowsOf(false), query, settings);
    expect(places.map((place) => Number(place.toFixed(9)))).toEqual([0.01, 0.1, 1]);
  });

  it('is not given to a later fact that shares but some of the words', () => {
    const other = {
      ...{ uuid: 'other', at: '2026-09-01T00:00:00.000Z', block: null, beside: null },
      text: 'The office has a garden',
    };
    const late = latestIn([...rowsOf(false), other], 'What is the rent of the office now?');
    expect(late.slice(2)).toEqual([1, 0]);
  });

  it('is not given to a turn that merely stands behind the present state', () => {
    const turns = rowsOf(true);
    const last = turns.at(-1);
    if (!last) throw new Error('no turn');
    const next = {
      ...last,
      uuid: 'next',
      text: 'The train was late',
      at: '2026-03-02T00:00:00.000Z',
    };
    const chained = [
      ...turns.slice(0, -1),
      { ...last, beside: { previous: null, next: 'next' } },
      { ...next, beside: { previous: last.uuid, next: null } },
    ];
    expect(latestIn(chained, 'What is the rent of the office now?').slice(2)).toEqual([1, 0]);
  });

  it('leaves the words that ask for now out of what is compared', () => {
    const rows = ['The rent is now ten a month', 'The rent is nine a month'].map((text, index) => ({
      ...{ uuid: `${index}`, text, at: `2026-0${index + 1}-01T00:00:00.000Z` },
      ...{ block: null, beside: null },
    }));
    const query = 'What is the rent now?';
    const pool = readPool({ rows, query, lexicon: null, similarity: null, latest: LATEST });
    expect(pool.maxsimOf('0')).toBe(pool.maxsimOf('1'));
  });

  it('is not led astray by the words that ask for now', () => {
    const other = {
      ...{ uuid: 'other', at: '2026-09-01T00:00:00.000Z', block: null, beside: null },
      text: 'Remind me of lunch today',
    };
    for (const query of ['Remind me of the rent of the office.', 'As of today, what is the rent?'])
      expect(latestIn([...rowsOf(false), other], query).at(-2)).toBeGreaterThan(0);
  });
});

describe('lateness', () => {
  const share = LATEST.turns;
  const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;

  it('falls from the last to the first of what matches alike, whatever the gaps', () => {
    const late = lateness(
      [
        { uuid: 'a', at: at(1), match: 0.9, share },
        { uuid: 'b', at: at(2), match: 0.6, share },
        { uuid: 'c', at: at(28), match: 0.7, share },
      ],
      LATEST.perPlace,
    );
    expect([late.get('c'), late.get('b')]).toEqual([1, 0.7]);
    expect(late.get('a')).toBeCloseTo(0.49, 12);
  });

  it('falls by as much as the settings say', () => {
    const rows = [1, 2].map((day) => ({ uuid: `${day}`, at: at(day), match: 1, share }));
    expect(lateness(rows, 0.2).get('1')).toBe(0.2);
  });

  it('leaves out what speaks of something else, however late', () => {
    const late = lateness(
      [
        { uuid: 'a', at: at(1), match: 1, share },
        { uuid: 'noise', at: at(9), match: 0.49, share },
      ],
      LATEST.perPlace,
    );
    expect([...late]).toEqual([['a', 1]]);
  });

  it('gives texts of one time one place, and nothing where nothing matches', () => {
    const same = { at: at(3), match: 0.5, share };
    expect([
      ...lateness(
        [
          { uuid: 'a', ...same },
          { uuid: 'b', ...same },
        ],
        LATEST.perPlace,
      ).values(),
    ]).toEqual([1, 1]);
    expect(lateness([{ uuid: 'a', at: at(3), match: 0, share }], LATEST.perPlace).size).toBe(0);
  });
});

it('is no sign of an answer: the best item is compared with the floor without it', () => {
  const parsed = parseFormula('sim * (1 + 1.5 * latest)');
  if (!('formula' in parsed)) throw new Error(parsed.problem.message);
  const signals = { sim: 0.2, latest: 1 };
  const { score } = scoreOf(parsed.formula, signals);
  expect(score).toBeCloseTo(0.5);
  expect(relevanceOf(parsed.formula, signals, score)).toBeCloseTo(0.2);
});
