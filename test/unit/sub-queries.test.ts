import { describe, expect, it } from 'vitest';
import { subQueries } from '../../src/text/sub-queries.ts';

describe('sub-queries', () => {
  it('are the sentences of more than 15 characters, none twice', () => {
    const asked =
      'Hi! Which dataset is the brief about?\nWho approves briefs? Who approves briefs? Ok.';
    expect(subQueries(asked)).toEqual({
      texts: ['Which dataset is the brief about?', 'Who approves briefs?'],
      leftOut: 0,
    });
  });

  it('are the whole query where it has no long sentence', () => {
    expect(subQueries('Who? Why?')).toEqual({ texts: ['Who? Why?'], leftOut: 0 });
    expect(subQueries(' \n ')).toEqual({ texts: [], leftOut: 0 });
  });

  it('are the last eight of a long prompt', () => {
    const sentences = Array.from({ length: 11 }, (_, n) => `This is sentence number ${n}.`);
    expect(subQueries(sentences.join(' '))).toEqual({ texts: sentences.slice(3), leftOut: 3 });
  });

  it('end at the stops of scripts without spaces', () => {
    const long = '这是一个关于研究简报数据集的非常长的问题';
    expect(subQueries(`${long}吗？${long}呢？`).texts).toEqual([`${long}吗？`, `${long}呢？`]);
  });
});
