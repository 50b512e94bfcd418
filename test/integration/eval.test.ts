/** The evaluation on the real engine: small data whose numbers are known beforehand. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ablate } from '../../eval/ablate/ablate.ts';
import { evaluate } from '../../eval/evaluate.ts';
import { goldSuite, ownSuite } from '../../eval/own-suites.ts';
import type { Report } from '../../eval/report/report.ts';
import type { SessionPrefix } from '../../eval/run/play-session.ts';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'eval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Several engines are opened and filled one after the other. */
vi.setConfig({ testTimeout: 120_000 });

const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec:
  layers: { system: { enabled: false }, open_set: { top_k: 20 }, semantic: { top_k: 20 } }
  scoring: { mmr_lambda: 1, formula: "0.9*sim + 0.1*importance" }
  bypass: [cache, remember]
`;
const GOLD = `
gold: v1
name: notes
now: 2026-06-01
manifest: manifest.yaml
stores:
  notes:
    scope_type: note
    blocks:
      - { key: cat, at: 2026-01-02, text: "The grey cat sleeps on the piano." }
      - { key: tram, at: 2026-01-03, text: "Line seven of the tram ends at the harbour." }
      - { key: bread, at: 2026-01-04, text: "Rye bread needs a night to rise." }
    facts:
      - { key: old, at: 2026-01-05, text: "The meeting room is number four." }
      - { key: new, at: 2026-03-05, text: "The meeting room is number nine.", replaces: old }
questions:
  - { id: q1, q: "Where does the cat sleep?", category: recall, layer: semantic, store: notes, evidence: [cat] }
  - { id: q6, q: "Which tram line ends at the harbour?", category: recall, layer: semantic, store: notes, evidence: [tram] }
  - { id: q3, q: "Which number has the meeting room?", category: state, layer: open_set, store: notes, evidence: [new], rivals: [old] }
  - { id: q4, q: "Which number has the meeting room?", category: state, layer: open_set, store: notes, evidence: [old], rivals: [new], as_of: 2026-02-01 }
  - { id: q5, q: "quantum chromodynamics", category: none, layer: semantic, store: notes }
`;
const goldPath = join(folder, 'gold.yaml');
beforeAll(() => {
  writeFileSync(join(folder, 'manifest.yaml'), MANIFEST);
  writeFileSync(goldPath, GOLD);
});

const cli = async (
  ...words: readonly string[]
): Promise<{ code: number; out: string; err: string }> => {
  const terminal = memoryTerminal({ cwd: folder });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

describe('a run', () => {
  it('finds what is there, now and in the past', async () => {
    const report = await evaluate(goldSuite(goldPath), { budgets: [2000], embedder: 'off' });
    expect(report).toMatchObject({
      questions: 4,
      ranked: 4,
      'recall@1': 1,
      'recall@5': 1,
      mrr: 1,
      on_top: 1,
      headline: ['recall', 'state'],
    });
    expect(report.evidence_in_context).toEqual({ 2000: 1 });
    expect(report.unanswerable).toMatchObject({
      questions: 1,
      false_surface_rate: 0,
      recall_10_cost: 0,
    });
    expect(report.items).toBe(5);
  });

  it('says what a floor costs, and what does not fit', async () => {
    const manifest = join(folder, 'strict.yaml');
    writeFileSync(manifest, MANIFEST.replace('mmr_lambda: 1,', 'mmr_lambda: 1, floor: 0.99,'));
    const report = await evaluate(goldSuite(goldPath, manifest), {
      budgets: [2000],
      embedder: 'off',
    });
    expect(report['recall@10']).toBe(1);
    expect(report.unanswerable.recall_10_cost).toBe(1);
    expect(report.evidence_in_context).toEqual({ 2000: 0 });
  });

  it('gives the same numbers again', async () => {
    const numbers = ({
      filled_ms: _filled,
      latency: _latency,
      results,
      ...rest
    }: Report): unknown => [rest, results.map(({ composeMs: _ms, ...result }) => result)];
    const [first, second] = [
      await evaluate(goldSuite(goldPath), { budgets: [500] }),
      await evaluate(goldSuite(goldPath), { budgets: [500] }),
    ];
    expect(numbers(second)).toEqual(numbers(first));
  });
});

describe('the stale memory', () => {
  it('loses to the one of three days ago', async () => {
    const report = await evaluate(ownSuite('scenario'), { budgets: [2000] });
    expect(
      report.results.filter(({ beatsRivals }) => beatsRivals !== true).map(({ id }) => id),
    ).toEqual([]);
  });
});

describe('ablation', () => {
  it('tells a change that costs from one that is refused', async () => {
    const report = await ablate(goldSuite(goldPath), { only: ['weights', 'floor'] });
    const row = (dimension: string, change: string) =>
      report.rows.find((row) => row.dimension === dimension && row.change === change);
    expect(report).toMatchObject({
      formula: '0.9*sim + 0.1*importance',
      questions: 2,
      base: { 'recall@5': 1 },
    });
    expect(row('weight of importance', '0.1 → 0')?.delta.mrr.mean).toBe(0);
    expect(row('weight of sim', '0.9 → 0')?.delta.mrr.mean).toBeLessThan(0);
    const presets = await ablate(goldSuite(goldPath), {
      only: ['preset', 'neighbours'],
      layer: 'open_set',
      embedder: 'off',
    });
    // `open_set` has no neighbours: the manifest's check says so, and the sweep goes on
    expect(
      presets.rows.filter(({ refused }) => refused !== undefined).map(({ dimension }) => dimension),
    ).toEqual(['neighbours', 'neighbours', 'neighbours']);
    expect(presets.rows.filter(({ dimension }) => dimension === 'preset').length).toBe(3);
  });
});

describe('the command', () => {
  it('names what failed, and measures ids', async () => {
    const gold = GOLD.replace('evidence: [cat] }', 'evidence: [cat, bread] }');
    writeFileSync(join(folder, 'failing.yaml'), gold);
    const words = ['eval', 'run', '--gold', 'failing.yaml', '--embedder', 'off'];
    const ofOne = [...words, '--budget', '2000', '--failed'];
    const { out } = await cli(...ofOne);
    expect(out).toMatch(/notes: failed 1/);
    expect(out).toMatch(/q1 +not in the first five +1, none +cat, bread +Where does the cat sleep/);
    expect(out).toMatch(/an id takes [12]\.\d\d tokens/);
    const json = JSON.parse((await cli(...ofOne, '--json')).out);
    expect(json).toMatchObject({
      failed: [{ id: 'q1', ranks: [1, null], wanted: ['cat', 'bread'] }],
      unrelated_served: [],
    });
    expect(json.id_tokens).toBeLessThanOrEqual(3);
  });

  it('prints the measures as JSON, and a page', async () => {
    const { code, out } = await cli(
      'eval',
      'run',
      '--gold',
      'gold.yaml',
      '--embedder',
      'off',
      '--budget',
      '2000',
      '--html',
      'page.html',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      suite: 'notes',
      'recall@5': 1,
      'recall@10': 1,
      'recall@20': 1,
      mrr: 1,
      by_category: { recall: { mrr: 1 } },
    });
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('Evaluation of notes');
  });

  it('gates a ranking of one’s own: no baseline, then one, then a worse manifest', async () => {
    const gate = (...more: readonly string[]) =>
      cli('eval', 'gate', '--gold', 'gold.yaml', '--embedder', 'off', '--json', ...more);
    const first = await gate();
    expect([first.code, JSON.parse(first.out).findings[0].code]).toEqual([
      4,
      'EVAL.STALE_BASELINE',
    ]);
    expect((await gate('--update')).code).toBe(0);
    expect((await gate()).code).toBe(0);
    writeFileSync(
      join(folder, 'worse.yaml'),
      MANIFEST.replace('0.9*sim + 0.1*importance', '1 - sim'),
    );
    const worse = await gate('--manifest', 'worse.yaml');
    expect(worse.code).toBe(4);
    expect(JSON.parse(worse.out).findings.map(({ code }: { code: string }) => code)).toContain(
      'EVAL.STALE_BASELINE',
    );
    expect(JSON.parse(worse.out).findings.length).toBeGreaterThan(0);
  });

  it('compares a saved run with one of now', async () => {
    await cli(
      'eval',
      'run',
      '--gold',
      'gold.yaml',
      '--embedder',
      'off',
      '--budget',
      '2000',
      '--save',
      'saved.json',
    );
    const { code, out } = await cli(
      'eval',
      'compare',
      'saved.json',
      '--gold',
      'gold.yaml',
      '--embedder',
      'off',
    );
    expect(code).toBe(0);
    expect(out).toContain('notes: 4 questions in both');
  });

  it('reads LoCoMo as ingest does: captions, dates, corrected evidence, and categories 1 to 4 for the headline', async () => {
    const sample = {
      sample_id: 'conv-1',
      conversation: {
        speaker_a: 'Ann',
        speaker_b: 'Ben',
        session_1_date_time: '1:56 pm on 8 May, 2023',
        session_1: [
          { speaker: 'Ann', dia_id: 'D1:1', text: 'I adopted a parrot named Kiwi.' },
          {
            speaker: 'Ben',
            dia_id: 'D1:2',
            text: 'Look at this!',
            blip_caption: 'a photo of a red canoe on a lake',
          },
        ],
      },
      qa: [
        {
          question: 'What pet did Ann adopt?',
          answer: 'a parrot',
          evidence: ['D1:01'],
          category: 4,
        },
        {
          question: 'What was on the photo of the lake?',
          answer: 'a canoe',
          evidence: ['D1:2'],
          category: 1,
        },
        {
          question: 'What did Ben adopt?',
          adversarial_answer: 'a parrot',
          evidence: ['D1:1'],
          category: 5,
        },
        { question: 'What colour is the sky?', answer: 'blue', evidence: ['D'], category: 3 },
      ],
    };
    writeFileSync(join(folder, 'locomo.json'), JSON.stringify([sample]));
    const { code, out } = await cli(
      'eval',
      'run',
      '--suite',
      'locomo',
      '--data',
      'locomo.json',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      questions: 2,
      skipped: 1,
      unanswerable: { questions: 0 },
      'recall@5': 1,
      headline: ['single_hop', 'multi_hop'],
      by_category: { adversarial: { questions: 1 } },
    });
  });

  it('plays a session and says what of a context stays from one turn to the next', async () => {
    const words = ['eval', 'session', '--turns', '50'];
    const { code, out } = await cli(...words, '--facts', '0', '--facts', '10', '--json');
    expect(code).toBe(0);
    const [without, withTen] = JSON.parse(out) as SessionPrefix[];
    if (!without || !withTen) throw new Error('two sessions');
    expect(without).toMatchObject({ turns: 50, facts: 0 });
    expect(without.text.stable).toBeGreaterThan(0.9);
    expect(withTen.text.stable).toBeGreaterThan(0.6);
    for (const share of [without, withTen].flatMap(({ text, messages, in_front }) => [
      text,
      messages,
      in_front,
    ]))
      expect(share.cached).toBeLessThanOrEqual(share.stable);
    // What the query found changes with each turn: in front of the turns it breaks their prefix.
    expect(withTen.in_front.stable).toBeLessThan(withTen.messages.stable);
    const { out: table } = await cli(...words, '--facts', '0');
    expect(table).toMatch(/^ +0 {2}text +\d+ +9\d\.\d %/m);
  });

  it.each([
    [['eval', 'run', '--suite', 'glod'], 'CLI.USAGE', 'gold'],
    [['eval', 'measure'], 'CLI.USAGE', 'run, compare, ablate, gate, session'],
    [['eval', 'session', '--turns', '2'], 'CLI.USAGE', '--turns 50'],
    [['eval', 'session', '--facts', 'many'], 'CLI.USAGE', '--facts 10'],
    [['eval', 'run', 'more'], 'CLI.USAGE', 'compare'],
    [['eval', 'run', '--suite', 'locomo'], 'CLI.USAGE', '--data'],
    [['eval', 'run', '--gold', 'nowhere.yaml'], 'EVAL.DATA', 'path'],
    [['eval', 'ablate', '--dimension', 'colour'], 'CLI.USAGE', 'weights'],
    [['eval', 'compare', 'nowhere.json'], 'CLI.USAGE', '--save'],
    [['eval', 'run', '--budget', 'much'], 'CLI.USAGE', '--budget'],
  ])('refuses %j', async (words, code, hint) => {
    const refused = await cli(...words, '--json');
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.err)).toMatchObject({ code, fix: expect.stringContaining(hint) });
  });
});
