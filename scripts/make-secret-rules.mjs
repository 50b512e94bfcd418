/**
 * Makes src/capture/secrets/published/rules.json of the published rules of secretlint, once a
 * version: not part of the build.
 *
 *     npm install --ignore-scripts --prefix DIR @secretlint/secretlint-rule-preset-recommend@13.1.0
 *     node scripts/make-secret-rules.mjs --package DIR           writes the file
 *     node scripts/make-secret-rules.mjs --package DIR --check   exits 1 where the file differs
 *
 * Each rule is run over a text that only notes the expressions it is searched by. A rule that is
 * new, that searches in another way or by no expression stops the script: somebody has to say by
 * which words its tokens are known, or why it is left out.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const NAME = '@secretlint/secretlint-rule-preset-recommend';
const PREFIX = '@secretlint/secretlint-rule-';
const TARGET = join(
  dirname(fileURLToPath(import.meta.url)),
  '../src/capture/secrets/published/rules.json',
);

/** In small letters: no text without one of them can match, which is why they are looked for first. */
const KEYWORDS = {
  '1password': ['ops_ey'],
  anthropic: ['sk-ant-api0'],
  aws: ['secret'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  groq: ['gsk_'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  npm: ['npm_'],
  openai: ['t3blbkfj'],
  sendgrid: ['sg.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  slack: ['xox', 'xapp-', 'hooks.slack.com'],
  stripe: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
  tailscale: ['tskey-'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
};
/** The code beside the data does the same for any scheme or label. */
const LEFT_OUT = {
  basicauth: 'keys.ts: credentials in an address',
  'database-connection-string': 'keys.ts: credentials in an address',
  'filter-comments': 'finds no secret: it switches the others off',
  gcp: 'reads key files by their names; keys.ts knows their private keys',
  privatekey: 'keys.ts: the first line of a key',
};

/** The expressions that a rule searches a text by. */
async function expressionsOf(rule) {
  const seen = [];
  const content = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name !== 'matchAll') throw new Error(`${rule.meta.id} reads \`${String(name)}\`.`);
        return (expression) => {
          seen.push(expression);
          return [].values();
        };
      },
    },
  );
  const context = { createTranslator: () => () => ({}), report: () => undefined };
  const { file } = rule.create(context, {});
  await file({ content, filePath: 'talk.txt', ext: '.txt', contentType: 'text' });
  return seen;
}

async function rulesOf(presetRules) {
  const found = [];
  for (const rule of presetRules) {
    const id = rule.meta.id.slice(PREFIX.length);
    if (id in LEFT_OUT) continue;
    const keywords = KEYWORDS[id];
    if (!keywords) throw new Error(`${rule.meta.id} is new: give its keywords, or leave it out.`);
    const expressions = await expressionsOf(rule);
    if (expressions.length === 0) throw new Error(`${rule.meta.id} has no expression.`);
    for (const { source, flags } of expressions)
      found.push({ id, keywords, pattern: source, flags: flags.replace('g', '') });
  }
  const missing = Object.keys(KEYWORDS).filter((id) => !found.some((rule) => rule.id === id));
  if (missing.length > 0) throw new Error(`${NAME} no longer has: ${missing.join(', ')}.`);
  return found;
}

const { values } = parseArgs({
  options: { package: { type: 'string' }, check: { type: 'boolean' } },
});
if (!values.package)
  throw new Error('Give --package DIR, the folder whose node_modules holds secretlint.');
const folder = join(resolve(values.package), 'node_modules', NAME);
const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const entry = createRequire(pathToFileURL(`${folder}/`)).resolve(NAME);
const preset = await import(pathToFileURL(entry).href);
const rules = await rulesOf(preset.rules);
const { version, license } = described;
const text = `${JSON.stringify({ package: NAME, version, license, rules }, null, 2)}\n`;
if (!values.check) await writeFile(TARGET, text);
else if (
  JSON.stringify(JSON.parse(await readFile(TARGET, 'utf8'))) !== JSON.stringify(JSON.parse(text))
)
  throw new Error('rules.json is not what the package gives.');
console.log(`${rules.length} expressions of ${NAME} ${version}`);
