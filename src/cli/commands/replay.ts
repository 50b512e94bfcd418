/** `replay`: the same bytes again, or what is gone. */
import type { Command, ExitCode } from '../command.ts';
import {
  COMPOSITION_FLAGS,
  COMPOSITION_NOTES,
  COMPOSITION_USAGE,
  givenComposition,
} from '../given-composition.ts';
import { printJson, printText } from '../output.ts';
import { withEngine } from '../session.ts';

export const replayCommand: Command = {
  name: 'replay',
  summary:
    'print a composition again, byte for byte; exit 4 and say what is gone where that cannot be',
  takes: { usage: COMPOSITION_USAGE, min: 1, max: 1 },
  usesLedger: true,
  flags: COMPOSITION_FLAGS,
  notes: COMPOSITION_NOTES,
  examples: [
    'contextengine replay 0190a2b4-… > context.xml',
    'contextengine replay latest --scope thread-1',
  ],
  async run(call) {
    const composition = givenComposition(call);
    return withEngine<ExitCode>(call, async ({ engine }) => {
      const replay = await engine.replay(await composition(engine));
      if (call.isJson) await printJson(call, replay);
      else {
        await printText(call, replay.text);
        if (!replay.identical)
          call.terminal.err(
            `${call.terminal.paintErr('yellow', 'not identical')} to what was served:\n`,
          );
        for (const gone of replay.gone) call.terminal.err(`  ${gone.uuid ?? ''}  ${gone.what}\n`);
      }
      return replay.identical ? 0 : 4;
    });
  },
};
