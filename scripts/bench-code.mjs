/**
 * How long `contextengine validate --code` takes on a project of 2,000 files, and how much memory;
 * the build's output is what runs.
 *
 *     node scripts/bench-code.mjs [--files 2000] [--keep]
 *
 * The project is written to a temporary folder: services of about 150 lines that import each other;
 * every tenth calls the compose function itself, every fifth by a wrapper, and eight drifts are
 * planted. The limits are 10 s on two cores and 1 GB.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    dist: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const FILES = Number(values.files);
const LIMIT_SECONDS = 10;
const LIMIT_MB = 1024;
const PLANTS = 8;
const MAIN = values.dist ?? fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

const MANIFEST = (name) => `apiVersion: contextengine.bench/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name.replaceAll('-', '_')} }
spec:
  layers: { recent: {}, summary: {}, semantic: {} }
  intents: { refund: { layers: [recent, summary] } }
`;

const WRAPPER = `import { createContextEngine, type ScopeUuid } from 'contextengine';

const engine = createContextEngine();
export async function ask(scope: ScopeUuid<'support_0'>, intent: string, query: string) {
  const ready = await engine;
  return ready.composeBlockContext({ scope_block_uuid: scope, intent, query, permission_profile: { principal: 'app', tenant: 'acme', kind: 'service', scopes: '*' } });
}
`;

/** Ordinary code: types, a class, some functions. */
const body = (i) => `
export interface Order${i} { readonly id: string; readonly lines: readonly Line${i}[]; readonly state: 'open' | 'paid' | 'sent'; readonly total: number }
export interface Line${i} { readonly sku: string; readonly count: number; readonly price: number; readonly note?: string }
${Array.from(
  { length: 8 },
  (_, k) => `
export function total${i}_${k}(order: Order${i}, rate: number): number {
  const lines = order.lines.filter((line) => line.count > ${k});
  const sum = lines.reduce((all, line) => all + line.count * line.price, 0);
  const discount = order.state === 'paid' ? sum * 0.0${k + 1} : 0;
  if (sum - discount < 0) throw new Error(\`order \${order.id} is below zero\`);
  const byName = new Map(lines.map((line) => [line.sku, { ...line, gross: line.price * (1 + rate) }] as const));
  for (const [sku, line] of byName) if (line.gross > 1000) byName.set(sku, { ...line, note: 'large' });
  return [...byName.values()].map(({ gross, count }) => gross * count).reduce((all, each) => all + each, -discount);
}`,
).join('\n')}
export class Orders${i} {
  readonly #orders = new Map<string, Order${i}>();
  add(order: Order${i}): this { this.#orders.set(order.id, order); return this; }
  get(id: string): Order${i} | undefined { return this.#orders.get(id); }
  async load(ids: readonly string[]): Promise<readonly Order${i}[]> {
    const found = await Promise.all(ids.map(async (id) => this.get(id)));
    return found.filter((order): order is Order${i} => order !== undefined);
  }
}
`;

function source(i) {
  const imports = [
    i > 0
      ? `import { total${i - 1}_0, type Order${i - 1} } from './service-${i - 1}.js';\nexport const before${i} = (order: Order${i - 1}) => total${i - 1}_0(order, 0.1);`
      : '',
  ];
  const isPlant = i % Math.floor(FILES / PLANTS) === 5;
  if (i % 10 === 5)
    imports.push(
      `import { composeBlockContext } from 'contextengine';
export async function answer${i}(id: string, query: string) {
  const context = await composeBlockContext({ scope_block_uuid: id, manifest: 'support-${i % 20}', intent: '${isPlant ? 'refnud' : 'refund'}', query, permission_profile: { principal: 'app', tenant: 'acme', kind: 'service', scopes: '*' } });
  return context.layers.recent?.tokens;
}`,
    );
  else if (i % 5 === 0)
    imports.push(
      `import { ask } from './ask.js';
export const ask${i} = async (id: string) => (await ask(id, '${i % 2 ? 'refund' : 'follow_up'}', 'q')).layers.summary;`,
    );
  return `${imports.join('\n')}\n${body(i)}`;
}

const root = mkdtempSync(join(tmpdir(), 'bench-code-'));
mkdirSync(join(root, 'src'));
mkdirSync(join(root, 'manifests'));
for (let i = 0; i < 20; i++)
  if (i === 0 || i % 10 === 5)
    writeFileSync(join(root, 'manifests', `m${i}.yaml`), MANIFEST(`support-${i}`));
writeFileSync(join(root, 'src', 'ask.ts'), WRAPPER);
let lines = 0;
for (let i = 0; i < FILES - 1; i++) {
  const text = source(i);
  lines += text.split('\n').length;
  writeFileSync(join(root, 'src', `service-${i}.ts`), text);
}

const script = `process.on('exit', () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage(); process.stderr.write('maxRSS ' + maxRSS + ' cpu ' + (userCPUTime + systemCPUTime)); });
process.argv.splice(1, 0, 'contextengine'); await import(${JSON.stringify(pathToFileURL(MAIN).href)});`;
const start = performance.now();
const { code, out, err } = await new Promise((resolve, reject) => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      script,
      'validate',
      'manifests',
      '--code',
      'src/**/*.ts',
      '--json',
    ],
    {
      cwd: root,
    },
  );
  const texts = { out: '', err: '' };
  child.stdout.on('data', (data) => (texts.out += data));
  child.stderr.on('data', (data) => (texts.err += data));
  child.on('error', reject);
  child.on('exit', (code) => resolve({ code, ...texts }));
});
const seconds = (performance.now() - start) / 1000;
if (!values.keep) rmSync(root, { recursive: true });
if (out === '') throw new Error(err);
const report = JSON.parse(out);
const memoryMb = Number(/maxRSS (\d+)/.exec(err)?.[1]) / 1024;
const cpuSeconds = Number(/cpu (\d+)/.exec(err)?.[1]) / 1e6;
const planted = report.findings.filter((finding) => finding.code === 'CODE.UNKNOWN_INTENT').length;
const others =
  report.findings.filter(
    (finding) => finding.code.startsWith('CODE.') && finding.severity === 'error',
  ).length - planted;

console.log(
  `${FILES} files, ${lines} lines, ${report.code.calls} compose calls, ${availableParallelism()} cores, exit ${code}`,
);
console.log(`time    ${seconds.toFixed(1)} s    (limit ${LIMIT_SECONDS} s)`);
console.log(
  `cpu     ${cpuSeconds.toFixed(1)} s    (what the time would be on a machine that does nothing else, at most)`,
);
console.log(`memory  ${memoryMb.toFixed(0)} MB  (limit ${LIMIT_MB} MB)`);
console.log(`plants  ${planted} of ${PLANTS} found, ${others} other errors`);
if (values.keep) console.log(root);
process.exitCode =
  seconds <= LIMIT_SECONDS && memoryMb <= LIMIT_MB && planted === PLANTS && others === 0 ? 0 : 1;
