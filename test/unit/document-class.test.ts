/** What a document is, by what it says of itself and where it lies. */
import { describe, expect, it } from 'vitest';
import { documentClass } from '../../src/ingest/document-class.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

describe('the class of a document', () => {
  it.each([
    ['README.md', 'document'],
    ['guide/planet.md', 'document'],
    ['guide/inspector.md', 'document'],
    ['MEMORY.md', 'index'],
    ['notes/memory.md', 'index'],
    ['notes/in-memory.md', 'document'],
    ['lessons/secrets.md', 'lesson'],
    ['LESSONS.md', 'lesson'],
    ['feedback_deploy.md', 'lesson'],
    ['docs/retros/2026-03.md', 'retro'],
    ['docs/adr/0007-queue.md', 'design'],
    ['design.md', 'design'],
    ['plans/q3.md', 'process'],
    ['docs/release-checklist.txt', 'process'],
    ['CONTRIBUTING.md', 'process'],
  ])('%s is a %s', (path, expected) => expect(documentClass(path, '')).toBe(expected));

  it('is what the front matter says, where that is a word', () => {
    expect(documentClass('plans/a.md', 'title: A\nclass: lesson # ours')).toBe('lesson');
    expect(documentClass('plans/a.md', "class: 'wave-spec'")).toBe('wave-spec');
    for (const said of ['class: [a]', 'class:', 'class: Two Words', 'subclass: lesson'])
      expect(documentClass('plans/a.md', said)).toBe('process');
  });

  it('is the type of a topic file, as it is written', () => {
    expect(documentClass('notes/a.md', 'name: a\ntype: feedback')).toBe('feedback');
    expect(documentClass('notes/a.md', 'type: feedback\nclass: process')).toBe('process');
  });
});

describe('the preset class_aware', () => {
  const scoringOf = (spec: string) => {
    const { manifest, findings } = parseManifest(
      `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: t }\nspec: ${spec}\n`,
      { path: 't.yaml' },
    );
    if (!manifest) throw new Error(JSON.stringify(findings));
    const layer = manifest.layers.find(({ name }) => name !== 'system' && name !== 'pinned');
    if (!layer) throw new Error('no layer');
    return layer.scoring;
  };
  const score = (signals: Readonly<Record<string, number>>): number =>
    scoringOf('{ layers: { documents: {} } }').formula.evaluate({
      ...{ sim: 0.8, class_boost: 1, absorbed: 0, replaced: 0 },
      ...signals,
    });

  it('boosts first, then lowers what was absorbed or replaced', () => {
    expect(score({})).toBeCloseTo(0.8, 12);
    expect(score({ class_boost: 1.5 })).toBeCloseTo(1.2, 12);
    expect(score({ class_boost: 0.85 })).toBeCloseTo(0.68, 12);
    expect(score({ absorbed: 1 })).toBeCloseTo(0.4, 12);
    // min(0.5·s, 0.5): a lesson that was absorbed stays under what took it in.
    expect(score({ sim: 1, class_boost: 1.5, absorbed: 1 })).toBe(0.5);
    expect(score({ replaced: 1 })).toBeCloseTo(0.4, 12);
    expect(score({ sim: 1, class_boost: 1.5, replaced: 1 })).toBeCloseTo(0.75, 12);
    expect(score({ absorbed: 1, replaced: 1 })).toBeCloseTo(0.2, 12);
  });

  it('is that of documents unless the layer says otherwise, with its floor and numbers', () => {
    expect(scoringOf('{ layers: { documents: {} } }')).toMatchObject({
      ...{ preset: 'class_aware', floor: 0.1 },
      classBoosts: { lesson: 1.5, process: 0.85 },
    });
    expect(
      scoringOf(
        '{ layers: { documents: { scoring: { floor: 0.2, lesson_boost: 2 } } }, scoring: { preset: conversation, process_boost: 0.5 } }',
      ),
    ).toMatchObject({
      ...{ preset: 'class_aware', floor: 0.2 },
      classBoosts: { lesson: 2, process: 0.5 },
    });
    expect(scoringOf('{ layers: { documents: { scoring: { preset: governed } } } }')).toMatchObject(
      {
        ...{ preset: 'governed', floor: 0 },
      },
    );
    expect(scoringOf('{ layers: { semantic: {} }, scoring: { preset: class_aware } }').floor).toBe(
      0.1,
    );
  });
});
