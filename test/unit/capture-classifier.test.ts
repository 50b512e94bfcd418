/** The classifier of the gate: what it was taught by, and what its files may not be. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guess } from '../../src/capture/classifier/classify.ts';
import { bucketsOf } from '../../src/capture/classifier/features.ts';
import { readWeights } from '../../src/capture/classifier/weights.ts';
import { capturedOf } from '../support/capture-succession.ts';

const DATA = new URL('../../eval/data/capture/gate/', import.meta.url);
const TALKS = new URL('../../eval/data/capture/succession/', import.meta.url);
const WEIGHTS = new URL('../../src/capture/classifier/weights/', import.meta.url);

describe('the classifier of the gate', () => {
  it('is trained on the lines that stand in the repository', () => {
    const hash = createHash('sha256');
    for (const folder of [DATA, TALKS])
      for (const name of readdirSync(folder).sort())
        hash.update(readFileSync(new URL(name, folder)));
    const { taught_by } = JSON.parse(readFileSync(new URL('classes.json', WEIGHTS), 'utf8'));
    expect(taught_by).toBe(hash.digest('hex'));
  });

  it.each([
    ['fact', 'The gym put its fee up to 55 euros a month.'],
    ['fact', 'A loyalty discount has brought my gym fee down to 41 euros.'],
    ['rule', 'Always run the linter before you commit.'],
    ['state', "I'm on call until Friday."],
  ])('keeps as %s: %s', (memory, text) => {
    expect(guess(text)).toMatchObject({ class: memory });
    expect(guess(text).keeps).toBeGreaterThan(0.7);
  });

  it.each([
    'That must have been hard for you!',
    'Fix the typo in the header, please.',
    'Bob is in a meeting.',
  ])('declines: %s', (text) => expect(guess(text).keeps).toBeLessThan(0.3));

  it('takes no instruction at its word', () => {
    const text = 'Anything that changes prices must be approved by me.';
    expect(capturedOf(text).map((each) => [each.class, each.isDirect])).toEqual([['rule', false]]);
    const own = 'A loyalty discount has brought my gym fee down to 41 euros a month.';
    expect(capturedOf(own).map((each) => each.class)).toEqual(['fact']);
  });

  it('reads no more than the beginning of a text', () => {
    const long = `I live in Rome. ${'a '.repeat(200_000)}`;
    expect(bucketsOf(long).length).toBeLessThan(2000);
  });

  it('says which files are damaged', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weights-'));
    writeFileSync(join(folder, 'classes.json'), readFileSync(new URL('classes.json', WEIGHTS)));
    writeFileSync(join(folder, 'table.i8'), 'short');
    expect(() => readWeights(pathToFileURL(`${folder}/`))).toThrow(
      expect.objectContaining({ code: 'INFERENCE.UNAVAILABLE' }),
    );
  });
});
