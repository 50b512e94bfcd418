/** `schema`: the JSON Schema of manifests, for editors and other tools. */
import { manifestSchema } from '../../manifest/schema.ts';
import type { Command } from '../command.ts';
import { printText } from '../output.ts';

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'print the JSON Schema of manifests (draft-07)',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: false,
  flags: {},
  notes:
    'The same bytes as contextengine/schema/v1.json of the package. manifests/README.md says ' +
    'it in prose.',
  examples: ['contextengine schema > manifests/schema.json'],
  async run(call) {
    await printText(call, `${JSON.stringify(manifestSchema, null, 2)}\n`);
    return 0;
  },
};
