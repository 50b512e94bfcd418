/**
 * `init`: a first manifest, the settings file, the ignore line, and what editors and CI need. Never
 * overwrites.
 */
import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../settings/config-file.ts';
import { DEFAULT_DATA_DIR } from '../../settings/settings.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command } from '../command.ts';
import { writeEditorSettings } from '../init/editor-settings.ts';
import { type InitFile, writeNew } from '../init/new-file.ts';
import { WORKFLOW_PATH, workflowTemplate } from '../init/workflow.ts';
import { manifestTemplate } from '../manifest-template.ts';
import { printJson, printText } from '../output.ts';
import { ownName } from '../own-name.ts';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

export const initCommand: Command = {
  name: 'init',
  summary:
    'write a first manifest, the settings file, and what editors and CI need; overwrites nothing',
  takes: { usage: '[FEATURE]', min: 0, max: 1 },
  usesLedger: false,
  flags: {
    'scope-type': {
      type: 'string',
      value: 'TYPE',
      help: 'block type of its scopes; default: the feature with _ for -',
    },
    bare: {
      type: 'boolean',
      help: 'only the manifest, the settings file and the ignore line: nothing for editors and CI',
    },
  },
  examples: ['contextengine init support-thread', 'contextengine init notes --scope-type notebook'],
  async run(call) {
    const feature = call.positionals[0] ?? 'my-feature';
    if (!NAME.test(feature))
      throw usageError(
        `\`${feature}\` is not a name for a feature.`,
        'Use lower-case letters, digits and `-`, beginning with a letter, for example ' +
          '`support-thread`.',
      );
    const type = call.flags.text('scope-type') ?? feature.replaceAll('-', '_');
    if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(type))
      throw usageError(
        `\`--scope-type\` is \`${type}\`.`,
        'Use letters, digits and `_`, beginning with a letter.',
      );
    const { cwd } = call.terminal;
    const files = await Promise.all([
      writeNew(cwd, `manifests/${feature}.yaml`, manifestTemplate(feature, type)),
      writeNew(
        cwd,
        CONFIG_FILE,
        `${JSON.stringify({ data_dir: DEFAULT_DATA_DIR, manifests: ['manifests'] }, null, 2)}\n`,
      ),
      ignoreData(call),
      ...(call.flags.isOn('bare')
        ? []
        : [
            writeEditorSettings(cwd),
            writeNew(cwd, WORKFLOW_PATH, workflowTemplate(codeFolder(cwd))),
          ]),
    ]);
    const own = ownName(call.terminal.env);
    const next = [
      `${own} validate`,
      `${own} generate && ${own} plan --write`,
      `${own} ingest PATH --scope-type ${type}`,
    ];
    if (call.isJson)
      await printJson(call, {
        created: files.filter((file) => file.isNew).map((file) => file.path),
        kept: files.filter((file) => !file.isNew).map((file) => file.path),
        next,
      });
    else
      await printText(
        call,
        [
          ...files.map(
            (file) =>
              `${file.isNew ? call.terminal.paintOut('green', 'wrote') : 'kept '}  ` +
              `${file.path}${file.note}`,
          ),
          '',
          'next',
          ...next.map((line) => `  ${line}`),
        ].join('\n'),
      );
    return 0;
  },
};

/** Where a project keeps its code, as far as one can see. */
const codeFolder = (cwd: string): string => (existsSync(join(cwd, 'src')) ? 'src' : '.');

/** The embedded database is data, not source. */
async function ignoreData(call: Call): Promise<InitFile> {
  const file = join(call.terminal.cwd, '.gitignore');
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const line = `${DEFAULT_DATA_DIR}/`;
  if (
    text.split(/\r?\n/).some((entry) => [line, DEFAULT_DATA_DIR, `/${line}`].includes(entry.trim()))
  )
    return { path: '.gitignore', isNew: false, note: '' };
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  return { path: '.gitignore', isNew: true, note: `  (${line})` };
}
