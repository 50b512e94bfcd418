/**
 * The import directions are enforced: every kind of forbidden import is planted, and must be found.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** File -> [its source, the rule it must break, or null for none]. */
const PLANTS: Readonly<Record<string, readonly [source: string, rule: string | null]>> = {
  'src/codes/errors.ts': ['export const error = 1;', null],
  'src/model/block.ts': [
    "import { error } from '../codes/errors.ts';\nexport const block = error;",
    null,
  ],
  'src/model/upward.ts': [
    "import type { Fit } from '../budget/fit.ts';\nexport type Up = Fit;",
    'direction-model',
  ],
  'src/budget/fit.ts': [
    "import { block } from '../model/block.ts';\nexport type Fit = typeof block;",
    null,
  ],
  'src/scoring/sideways.ts': [
    "import type { Fit } from '../budget/fit.ts';\nexport type Side = Fit;",
    'direction-scoring',
  ],
  'src/layers/recent.ts': [
    "import type { Query } from '../cxri/contract.ts';\nexport type Recent = Query;",
    null,
  ],
  'src/layers/task.ts': [
    "import type { Port } from '../cxri/ports/ledger.ts';\nexport type Task = Port;",
    'direction-layers',
  ],
  'src/cxri/contract.ts': ['export type Query = string;', null],
  'src/cxri/ports/ledger.ts': ['export type Port = string;', null],
  'src/manifest/layers.ts': [
    "import type { Recent } from '../layers/recent.ts';\nexport type Layers = Recent;",
    null,
  ],
  'src/render/layers.ts': [
    "import type { Recent } from '../layers/recent.ts';\nexport type Layers = Recent;",
    'direction-render',
  ],
  'src/compose/stage.ts': [
    "import type { Fit } from '../budget/fit.ts';\nexport type Stage = Fit;",
    null,
  ],
  'src/write/sideways.ts': [
    "import type { Stage } from '../compose/stage.ts';\nexport type Side = Stage;",
    'direction-write',
  ],
  'src/compose/upward.ts': [
    "export const late = () => import('../engine/create-engine.ts');",
    'direction-compose',
  ],
  'src/engine/create-engine.ts': [
    "import type { Stage } from '../compose/stage.ts';\nexport type Engine = Stage;",
    null,
  ],
  'src/index.ts': ["export type { Engine } from './engine/create-engine.ts';", null],
  'src/cli/main.ts': [
    "import type { Engine } from '../index.ts';\nexport type Cli = Engine;",
    null,
  ],
  'src/cli/shortcut.ts': [
    "import type { Engine } from '../engine/create-engine.ts';\nexport type Cut = Engine;",
    'direction-cli',
  ],
  'eval/index.ts': [
    "import type { Engine } from '../src/index.ts';\nexport type Lab = Engine;",
    null,
  ],
  'eval/inside.ts': [
    "import type { Engine } from '../src/engine/create-engine.ts';\nexport type Inside = Engine;",
    'direction-eval',
  ],
  'src/cli/commands/eval.ts': [
    "export const harness = () => import('../../../eval/index.ts');",
    null,
  ],
  'src/cli/commands/other.ts': [
    "import type { Lab } from '../../../eval/index.ts';\nexport type Other = Lab;",
    'direction-cli',
  ],
  'src/model/tested.ts': [
    "import { plant } from '../../test/plant.ts';\nexport const tested = plant;",
    'direction-model',
  ],
  'test/plant.ts': ['export const plant = 1;', null],
  'connectors/pgvector/index.ts': [
    "import pg from 'pg';\nimport { block } from '../../src/model/block.ts';\nexport const use = [pg, block];",
    null,
  ],
  'connectors/reference/index.ts': [
    "import { use } from '../pgvector/index.ts';\nexport const neighbour = use;",
    'direction-connector-reference',
  ],
  'src/ledger/placing.ts': ['export const place = 1;', null],
  'connectors/reference/placing.ts': [
    "import { place } from '../../src/ledger/placing.ts';\nexport const shared = place;",
    'direction-connector-reference',
  ],
  'connectors/pgvector/placing.ts': [
    "import { place } from '../../src/ledger/placing.ts';\nexport const placed = place;",
    null,
  ],
  'src/engine-room/lost.ts': [
    "import { error } from '../codes/errors.ts';\nexport const lost = error;",
    'unlisted-file',
  ],
  'src/budget/database.ts': [
    "import pg from 'pg';\nexport const client = pg.Client;",
    'door-databases',
  ],
  'src/budget/embedded.ts': [
    "import { PGlite } from '@electric-sql/pglite';\nexport const lite = PGlite;",
    'door-databases',
  ],
  'src/render/yaml.ts': ["export const yaml = () => import('yaml');", 'door-yaml'],
  'src/scoring/recency.ts': [
    "import type { Card } from 'ts-fsrs';\nexport type Recency = Card;",
    'door-fsrs',
  ],
  'src/render/count.ts': ["export const count = () => import('gpt-tokenizer');", 'door-tokenizer'],
  'src/render/compile.ts': [
    "export const compile = () => import('typescript');",
    'door-typescript',
  ],
  'src/inference/other.ts': [
    "import type OpenAI from 'openai';\nexport type Client = OpenAI;",
    'door-openai',
  ],
  'src/render/nowhere.ts': [
    "import { gone } from './gone.ts';\nexport const nowhere = gone;",
    'no-unresolved',
  ],
  'src/render/dev.ts': [
    "import fc from 'fast-check';\nexport const dev = fc;",
    'not-a-dev-dependency',
  ],
  'src/telemetry/here.ts': [
    "import type { There } from './there.ts';\nexport type Here = There | 1;",
    'no-cycle',
  ],
  'src/telemetry/there.ts': [
    "import type { Here } from './here.ts';\nexport type There = Here | 2;",
    'no-cycle',
  ],
};

interface Report {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function checkDirections(root: string, atLeast: string): Promise<Report> {
  const args = [join(ROOT, 'scripts/directions.mjs'), '--root', root, '--at-least', atLeast];
  return new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('import directions', () => {
  let root: string;
  let report: Report;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'directions-'));
    for (const [file, [source]] of Object.entries(PLANTS)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), `${source}\n`);
    }
    for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
      symlinkSync(join(ROOT, name), join(root, name));
    report = await checkDirections(root, '20');
  }, 300_000);

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const rulesBroken = (file: string): readonly string[] =>
    report.stderr
      .split('\n')
      // A cycle is told once, from one of its files.
      .filter(
        (line) =>
          line.includes(`: ${file} ->`) || (line.startsWith('no-cycle') && line.includes(file)),
      )
      .map((line) => line.slice(0, line.indexOf(':')));

  it.each(
    Object.entries(PLANTS).flatMap(([file, [, rule]]) =>
      rule === null ? [] : [[file, rule] as const],
    ),
  )('%s breaks %s', (file, rule) => {
    expect(rulesBroken(file)).toContain(rule);
  });

  it.each(Object.entries(PLANTS).flatMap(([file, [, rule]]) => (rule === null ? [file] : [])))(
    '%s breaks nothing',
    (file) => {
      expect(rulesBroken(file)).toEqual([]);
    },
  );

  it('fails the run', () => {
    expect(report.code).toBe(1);
  });

  it('takes seeing few modules for a failure', async () => {
    const few = await checkDirections(root, '1000');
    expect(few.stderr).toContain('the checker is not reading the code');
  }, 300_000);
});
