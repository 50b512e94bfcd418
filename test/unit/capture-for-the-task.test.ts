/** What is brought to a piece of work is over with it; what lasts stands in the same forms. */
import { describe, expect, it } from 'vitest';
import { isForTheTask } from '../../src/capture/gate/for-the-task.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';

describe('what is said for the work that is asked for', () => {
  it.each([
    'I have a csv with timestamps in three different formats.',
    "I've got a folder of 200 pdfs",
    'I have a question about my lease.',
    'I have two drafts of the letter.',
    'We have a script that reads the logs.',
    'I need to write a python script to rename 4000 wav files.',
    'I have to send an email to my landlord.',
    "I'm trying to parse the dates.",
    'We must answer this letter.',
    'I just need to shorten it to 200 words.',
  ])('is `%s`', (text) => {
    expect(isForTheTask(sentenceOf(text, 0))).toBe(true);
  });

  it.each([
    'I have a Volvo.',
    'I have two cats.',
    'I have a bad knee.',
    'I have a house in Bern.',
    'I need to take my pills at eight.',
    'I have to write a report every Friday.',
    'I need to finish my thesis.',
    'I have to submit the tax form by May 31.',
    'We need to send the invoices on the 5th.',
    'I need to write a book.',
    'I have to avoid gluten.',
    'I have a daughter.',
    'I have an exam on Monday, and I must hand in my essay before it.',
    'I make the cakes.',
  ])('is not `%s`', (text) => {
    expect(isForTheTask(sentenceOf(text, 0))).toBe(false);
  });
});
