/**
 * Texts of others, roles, and blocks without fences: nothing of them is taken as said by the
 * author. What stands beside them in the author's own words is.
 */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const directOf = (content: string): readonly string[] =>
  extractCandidates([...gatedPieces(turnOf(content), gating)], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );

const SAID = 'I live in Oslo. I am vegan.';

describe('what announces a text of somebody else governs the rest of the turn', () => {
  it.each([
    `Here's what she sent me: hi. ${SAID}`,
    `She wrote me this: hi there. ${SAID}`,
    `This is from Bo\n${SAID}`,
    `This is from Bo. ${SAID}`,
    `Got this from my mum:\n\nhi.\n\n${SAID}`,
    `Forwarded from Bo\n${SAID}`,
    `Look what my ex sent. ${SAID}`,
    `Here is Bo's intro. ${SAID}`,
    `The email says hello. ${SAID}`,
    `Bo introduced himself like this. ${SAID}`,
    `I'm quoting Bo here. ${SAID}`,
    `A line from the novel. ${SAID}`,
    `My tenant's message from today. ${SAID}`,
    `Can you rate my friend's intro? ${SAID}`,
    `What do you think of her profile? ${SAID}`,
    `Rate this bio. ${SAID}`,
    `Translate into French. ${SAID}`,
    `Continue this story. ${SAID}`,
    `Here is a persona. ${SAID}`,
    `Customer complaint below\n${SAID}`,
    `Full ticket follows:\n${SAID}`,
    `Complaint from Bo attached\n${SAID}`,
    `copy of ticket 991\n${SAID}`,
    `Contents of the mail from Bo\n${SAID}`,
    `The contract reads as follows. ${SAID}`,
    `My lease states the following. ${SAID}`,
    `Dear diary, ${SAID} Love, Bo`,
    `${SAID} All the best, Bo Miller`,
  ])('%j', (content) => expect(directOf(content)).toEqual([]));

  it.each([
    "Here's what I did: I moved to Bern.",
    'Note: I live in Bern',
    "I've a friend called Bo. I live in Bern",
    'She wrote me a letter yesterday. I live in Bern.',
    'Can you rate my plan? I live in Bern.',
    'Bo sent me flowers. I live in Bern.',
    "Bo's letter arrived. I live in Bern.",
    'The story is long. I live in Bern.',
    'Read my blog. I live in Bern.',
    'Guess what! I live in Bern now.',
    'The situation is as follows. I live in Bern.',
    'My plan is as follows. I move to Bern in May.',
    'I sent a copy of the contract. I live in Bern.',
    'The contract ended. I live in Bern.',
    'The reviews below are nice. I live in Bern.',
    'Dear diary, I live in Bern. Love, Ada',
    'I live in Bern. Love it, Bob',
    'I live in Bern. Thanks, Claude',
  ])('what is said of oneself is said: %j', (content) =>
    expect(directOf(content)).toContainEqual(expect.stringContaining('Bern')),
  );
});

describe('in a role', () => {
  it.each([
    `Write a tweet as Bo. ${SAID}`,
    `Pretend you are Bo. ${SAID}`,
    `You are now Bo. ${SAID}`,
    `You're Bo, a nurse. ${SAID}`,
    `Act as a pirate. ${SAID}`,
    `Be Bo for a minute. ${SAID}`,
    `Answer as if you were Bo. ${SAID}`,
    `Write a post in the voice of a nurse. ${SAID}`,
    `Say it like Bo would. ${SAID}`,
    `Your character is Bo. ${SAID}`,
    `I'll be the customer, you the clerk. ${SAID}`,
    `Act as if I'm a lawyer. ${SAID}`,
    `Treat me as if I were a doctor. ${SAID}`,
    `You are a therapist. ${SAID}`,
    `You're my doctor. ${SAID}`,
    `You are my wife. ${SAID}`,
  ])('%j', (content) => expect(directOf(content)).toEqual([]));

  it.each([
    'You are great. I live in Bern.',
    'You are my tutor now. I live in Bern.',
    'I work as a nurse. I live in Bern.',
    'Write my CV as a designer. I live in Bern.',
    'Write it as a list. I live in Bern.',
    'Answer as briefly as possible. I live in Bern.',
    'Be honest. I live in Bern.',
    'You play well. I live in Bern.',
    "Explain it like I'm five. I live in Bern.",
    'Treat me like a friend. I live in Bern.',
    "Talk to me like I'm a beginner. I live in Bern.",
    'You are my best friend. I live in Bern.',
    'You are an expert nutritionist. I live in Bern.',
  ])('a form and a task give none: %j', (content) =>
    expect(directOf(content)).toContainEqual(expect.stringContaining('Bern')),
  );
});

describe('of a transcript, or under a title', () => {
  it.each([
    'A: I live in Oslo\nB: I am vegan',
    'S1: I live in Oslo\nS2: I am vegan',
    'A — I live in Oslo\nB — I am vegan',
    `Chapter 1\n\n${SAID}`,
    `CHAPTER II: THE HOUSE\n\n${SAID}`,
    `Act I, Scene 2\n\n${SAID}`,
    `Verse 1\n${SAID}`,
    `The House by the Sea\n\n${SAID}`,
    'INT. KITCHEN - DAY\n\nBO\nI live in Oslo.',
    '1\n00:00:01,000 --> 00:00:02,000\nI live in Oslo',
  ])('%j', (content) => expect(directOf(content)).toEqual([]));

  it.each([
    '1. I live in Bern',
    'Day 1\nI ran 5 km. I live in Bern.',
    'Some facts about me\n\nI live in Bern.',
    'Chapter 1 was boring. I live in Bern.',
    'My Life in Bern\n\nI live in Bern.',
  ])('a heading of ones own is none: %j', (content) =>
    expect(directOf(content)).toContainEqual(expect.stringContaining('Bern')),
  );
});

describe('in code without fences', () => {
  it.each([
    'def me():\n  """Says it.\n\nI live in Oslo\n"""\n  pass',
    '@doc """\nI live in Oslo\n"""',
    'const bio = `\nI live in Oslo\nI am vegan\n`;',
    'bio: |\n  I live in Oslo\n\n  I am vegan',
    'name: Bo\nbio: >-\n  I live in Oslo',
    '<<<<<<< HEAD\nI live in Oslo\n=======',
    '=======\nI live in Oslo\n>>>>>>> branch',
    '-- I live in Oslo. I am vegan.\nSELECT 1;',
    ';; I live in Oslo',
    '% I live in Oslo\n\\section{x}',
    '{# I live in Oslo #}',
    '{#\nI live in Oslo\n#}',
    '=begin\n\nI live in Oslo\n\n=end',
    '(*\nI live in Oslo\n*)',
    '--[[\nI live in Oslo\n]]',
    "cat > x <<'EOF'\nI live in Oslo\nEOF",
    '>>> print(bio)\nI live in Oslo\n>>> 1',
    'In [1]: print(bio)\nI live in Oslo\n\nOut[1]: I am vegan',
    'irb> bio\n=> I live in Oslo',
    '$ cat bio.txt\nI live in Oslo',
    '&gt; I live in Oslo',
    '* a1b2c3d (HEAD -> main) I live in Oslo',
    'commit a1b2c3d\n\n    I live in Oslo',
    'commit a1b2c3d\nAuthor: Bo\n\nI live in Oslo',
    ':::quote\nI live in Oslo\n:::',
    '[quote=Bo]\nI live in Oslo\n[/quote]',
  ])('%j', (content) => expect(directOf(content)).toEqual([]));

  it.each([
    'I live in Bern; I am vegan',
    'I live in Bern -- I am vegan',
    '> where do you live?\nI live in Bern',
    '>>> where do you live?\nI live in Bern',
    '&gt; where do you live?\n\nI live in Bern',
    '$ npm test\n\nI live in Bern.',
    '$50 is my budget.\nI live in Bern',
    'bio: |\n  hello\n\nI live in Bern',
    'a1b2c3d broke the build.\nI live in Bern.',
    'commit a1b2c3d\nAuthor: Bo\n\n    fix\n\nI live in Bern.',
    'I said """hi""" to Bo. I live in Bern.',
    '... anyway I live in Bern',
  ])('talk beside it is said: %j', (content) =>
    expect(directOf(content)).toContainEqual(expect.stringContaining('Bern')),
  );
});
