/** `generate`: the manifests as TypeScript, so that a wrong intent is a red line in the editor. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { severityOf } from '../../codes/code-table.ts';
import { ContextEngineError, type Finding } from '../../index.ts';
import { declarationsOf, namedManifests } from '../../manifest/declarations.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { shownPath } from '../shown-path.ts';
import { printFindings, soundManifests } from '../sound-manifests.ts';

const DEFAULT_FILE = 'contextengine.gen.d.ts';

export const generateCommand: Command = {
  name: 'generate',
  summary:
    'write the types of the manifests: scope types, intents, inputs and layers, checked by ' +
    'the compiler',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    out: {
      type: 'string',
      value: 'FILE',
      help: `where to; a place that your tsconfig includes (default ${DEFAULT_FILE})`,
    },
    check: {
      type: 'boolean',
      help: 'write nothing; exit 4 when the file is not what would be written',
    },
  },
  notes: 'Opens no database. Commit the file, and run `generate --check` where you run `validate`.',
  examples: [
    'contextengine generate',
    'contextengine generate --out src/contextengine.gen.d.ts',
    'contextengine generate --check',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const sound = await soundManifests(call);
  if (!sound) return 4;
  const path = resolve(call.terminal.cwd, call.flags.text('out') ?? DEFAULT_FILE);
  const file = shownPath(path, call.terminal.cwd);
  if (!file.endsWith('.d.ts'))
    throw new ContextEngineError('CLI.USAGE', {
      message: `\`--out\` is \`${file}\`.`,
      fix: 'Name a file that ends in `.d.ts`.',
    });
  const text = declarationsOf(sound.set);
  const before = readText(path);
  if (call.flags.isOn('check') && before !== text) {
    await printFindings(call, [
      staleFinding(path, before === null ? 'is not there' : 'is not what the manifests say now'),
    ]);
    return 4;
  }
  if (before !== text) writeText(path, { text, file });
  const manifests = namedManifests(sound.set.manifests).map(
    ({ manifest }) => `${manifest.name}@${manifest.version}`,
  );
  if (call.isJson) await printJson(call, { ok: true, file, changed: before !== text, manifests });
  else
    await printText(
      call,
      `${file}  ${before === text ? 'current' : 'written'}: ` +
        `${manifests.join(', ') || 'no manifest'}`,
    );
  return 0;
}

const staleFinding = (file: string, how: string): Finding => ({
  code: 'CODE.TYPES_STALE',
  severity: severityOf('CODE.TYPES_STALE'),
  file,
  line: 1,
  column: 1,
  message: `The file of generated types ${how}.`,
  fix:
    'Run `contextengine generate` and commit the file. Where it is elsewhere, give its place ' +
    'as `--out FILE`.',
});

/** Line feeds only: a checkout on another system may have changed them. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return null; // it is written, or reported as not there
  }
}

function writeText(
  path: string,
  { text, file }: { readonly text: string; readonly file: string },
): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (cause) {
    throw new ContextEngineError('CLI.INPUT', {
      message: `\`${file}\` cannot be written.`,
      fix: 'Name another place as `--out`.',
      where: { file },
      cause,
    });
  }
}
