/** `correct`: what a block, a fact or a typed value should have said all along. */
import { compact, jsonOrText } from '../arguments.ts';
import type { Command, ExitCode } from '../command.ts';
import { givenId } from '../given-id.ts';
import { printJson, printText, remark } from '../output.ts';
import { withWritingEngine } from '../session.ts';

export const correctCommand: Command = {
  name: 'correct',
  summary: 'say that a stored text or value was never so, and what it should have said',
  takes: { usage: 'ROOT TEXT', min: 2, max: 2 },
  usesLedger: true,
  flags: {
    value: { type: 'boolean', help: 'TEXT is the value of a typed property: JSON, else a text' },
    at: {
      type: 'string',
      value: 'TIME',
      help: 'an instant at which the wrong version was valid, default the last version',
    },
    reason: { type: 'string', value: 'TEXT', help: 'why; the journal keeps it' },
  },
  notes: `
What was derived from the wrong version is withdrawn with it, in any scope. Where the world changed,
use \`remember --replaces\` instead: what was true then stays true of then.
`,
  examples: [
    'contextengine correct 0190a2b4-… "The safe is in the attic"',
    'contextengine correct 0190a2b4-… de --value --reason "misread"',
  ],
  async run(call) {
    const [given = '', text = ''] = call.positionals;
    const root = givenId('fact', given);
    const { flags } = call;
    const said = flags.isOn('value') ? { value: jsonOrText(text) } : { content: text };
    const why = compact({ at: flags.text('at'), reason: flags.text('reason') });
    return withWritingEngine<ExitCode>(call, async ({ engine }) => {
      const result = await engine.correct(root, { ...said, ...why });
      const receipt = result.receipts[0];
      if (call.isJson) await printJson(call, { ...receipt, proposal: result.proposal });
      else if (result.proposal) {
        const { proposal_uuid: id, tier } = result.proposal;
        await printText(call, id);
        const next = `contextengine approvals show ${id}`;
        remark(call, `It is ${tier} and waits for another principal: ${next}`);
      } else {
        await printText(call, receipt?.uuid ?? '');
        const { outcome, operation_id: operation } = receipt ?? {};
        const next = `contextengine history ${root}; back: contextengine undo ${operation}`;
        remark(call, `${outcome}; all versions: ${next}`, 'dim');
      }
      return 0;
    });
  },
};
