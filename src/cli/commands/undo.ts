/** `undo`: an operation is taken back, with all that it caused. */
import { compact } from '../arguments.ts';
import type { Command, ExitCode } from '../command.ts';
import { givenId } from '../given-id.ts';
import { printJson, printText, remark } from '../output.ts';
import { withWritingEngine } from '../session.ts';

export const undoCommand: Command = {
  name: 'undo',
  summary: 'take one write back, or a "forget" that is not erased yet',
  takes: { usage: 'OPERATION', min: 1, max: 1 },
  usesLedger: true,
  flags: {
    reason: { type: 'string', value: 'TEXT', help: 'why; the journal keeps it' },
  },
  notes: `
OPERATION is the \`operation_id\` of a receipt: capture, \`remember --json\`, \`correct --json\` and
this command print it, and so does "contextengine facts get" of what a write brought. What it
brought goes, what it ended or withdrew returns. Nothing is deleted: the past stays as it was, and
an undo can be undone. Where later operations build on it they are named; undo those first.

OPERATION may be the ID that "contextengine forget" printed ("contextengine erase --list" shows
them): until its grace period is over, all that it took out of sight comes back. What is erased does
not. Where "redactions" is T2 or T3 for you, that waits for another principal as well.
`,
  examples: [
    'contextengine undo 0190a2b4-… --reason "wrong person"',
    'contextengine undo 0b6f…   # what "contextengine forget" printed',
  ],
  async run(call) {
    const operation = givenId('operation', call.positionals[0] ?? '');
    const why = compact({ reason: call.flags.text('reason') });
    return withWritingEngine<ExitCode>(call, async ({ engine }) => {
      const result = await engine.undo(operation, why);
      const [receipt] = result.receipts;
      const { brought_back: back } = result;
      if (call.isJson) await printJson(call, back ?? { ...receipt, proposal: result.proposal });
      else if (back) {
        await printText(call, `brought back  ${back.redaction_uuid}`);
        remark(
          call,
          'What it took out of sight is there again: rows, words, questions that were asked; ' +
            'but for what another "forget" took as well (`contextengine erase --list`).',
        );
      } else if (result.proposal) {
        const { proposal_uuid: id, tier } = result.proposal;
        await printText(call, id);
        const next = `contextengine approvals show ${id}`;
        remark(call, `It is ${tier} and waits for another principal: ${next}`);
      } else {
        await printText(call, receipt?.operation_id ?? '');
        const said = SAID[receipt?.outcome ?? ''] ?? receipt?.outcome ?? '';
        remark(call, said, 'dim');
      }
      return 0;
    });
  },
};

const SAID: Readonly<Record<string, string>> = {
  stored: 'taken back by the operation above; undo that one to have it again',
  duplicate: 'it was taken back already, by the operation above; nothing was written',
  conflict: 'what it touches has changed meanwhile; nothing was written. Try again',
};
