/** A long text of one layer: what the others keep, and what is said where nothing is left. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';

const CONVENTIONS = Array.from(
  { length: 700 },
  (_, at) => `Rule ${at} says that modules of kind ${at} are written as the others are.`,
).join(' ');
const TASK = 'Move the export to the new queue.';
const manifestOf = (name: string, rest: string): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name} }
spec:
  layers:
    project: { text: "${CONVENTIONS}" }
    task: { text: "${TASK}" }
    recent: { limit: 12 }
    open_set: { top_k: 12 }
  ${rest}
`;

it('leaves the others their share in a window preset, and says where no room is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-room-'));
  writeFileSync(join(folder, 'eight.yaml'), manifestOf('eight', 'model: window_8k'));
  writeFileSync(join(folder, 'small.yaml'), manifestOf('small', 'budget: { total_tokens: 900 }'));
  writeFileSync(
    join(folder, 'capped.yaml'),
    manifestOf('capped', 'budget: { max_per_layer: { project: 300, open_set: 8 } }'),
  );
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: folder,
  });
  rmSync(folder, { recursive: true });
  const compose = async (type: string, query = 'Where do exports go?') => {
    const { scope_block_uuid } = await engine.scopes.create({ type });
    await engine.append(scope_block_uuid, [
      { role: 'user', content: 'We have to look at the export today.' },
      { role: 'assistant', content: 'Gladly.' },
    ]);
    await engine.remember(scope_block_uuid, {
      content: 'Exports go to the queue of the warehouse.',
    });
    const { layers, warnings, tokens } = await engine.composeBlockContext({
      ...{ scope_block_uuid, intent: 'follow_up', query },
      permission_profile: LOCAL_PROFILE,
    });
    return {
      items: Object.fromEntries(Object.entries(layers).map(([name, { items }]) => [name, items])),
      said: warnings
        .filter(({ code }) => code.startsWith('LAYER.'))
        .map(({ code, message }) => `${code} ${message}`),
      tokens,
    };
  };
  const eight = await compose('eight');
  expect(eight.items).toMatchObject({ project: 1, task: 1, recent: 2, open_set: 1 });
  expect(eight.said).toEqual([]);
  expect(eight.tokens.used).toBeGreaterThan(4700);

  const small = await compose('small');
  expect(small.items).toMatchObject({ project: 1, task: 1, recent: 0, open_set: 0 });
  expect(small.said).toEqual([
    'LAYER.NO_ROOM Layer `recent` has `2` items to show and shows none: no room is left for any.',
    'LAYER.NO_ROOM Layer `open_set` has `1` item to show and shows none: no room is left for any.',
  ]);

  const capped = await compose('capped');
  expect(capped.said).toEqual([
    'LAYER.NO_ROOM Layer `open_set` has `1` item to show and shows none: its own limit holds ' +
      'none of them.',
  ]);
  const nothing = await compose('capped', 'thanks!');
  expect(nothing.said).toEqual(['LAYER.EMPTY Layer `open_set` holds nothing for this query.']);
});
