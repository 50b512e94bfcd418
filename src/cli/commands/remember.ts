/** `remember`: one fact, or one typed value, stated by the person at the keyboard. */

import type { ContextEngine, ManifestSet, WriteResult } from '../../index.ts';
import { toCommitted } from '../../ingest/batches.ts';
import { didYouMean } from '../../manifest/suggest.ts';
import { compact, jsonOrText, numberFlag, required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printText, remark } from '../output.ts';
import { withWritingEngine } from '../session.ts';

export const rememberCommand: Command = {
  name: 'remember',
  summary: 'store one fact, or set one typed value with --set',
  takes: { usage: '[TEXT]', min: 0, max: 1 },
  usesLedger: true,
  flags: {
    scope: {
      type: 'string',
      value: SCOPE_VALUE,
      help: 'uuid or key of the scope to write to (required)',
    },
    subject: {
      type: 'string',
      value: 'WHO',
      help: 'whom or what it is about; required with --set',
    },
    category: {
      type: 'string',
      value: 'NAME',
      help: 'preference, decision, …: what an open_set layer selects by',
    },
    class: { type: 'string', value: 'NAME', help: 'fact (default), rule, lesson, procedure, …' },
    importance: { type: 'string', value: 'N', help: '0 to 1, default 0.5' },
    confidence: { type: 'string', value: 'N', help: '0 to 1, default 1' },
    tag: { type: 'string', value: 'TAG', isMultiple: true, help: 'a tag' },
    'valid-from': { type: 'string', value: 'TIME', help: 'when it began to be true, default now' },
    'valid-until': { type: 'string', value: 'TIME', help: 'when it ends' },
    replaces: {
      type: 'string',
      value: 'ROOT',
      help: 'the world changed: takes over from that fact',
    },
    corrects: { type: 'string', value: 'ROOT', help: 'it was never so: corrects that fact' },
    set: {
      type: 'string',
      value: 'C.P=V',
      help: 'a typed value: collection.property=value; the value is JSON, else a text',
    },
  },
  notes: 'TEXT may be `-` to read it from standard input.',
  examples: [
    'contextengine remember --scope 0190a2b4-… "Wants short answers" --category preference',
    'contextengine remember --scope 0190a2b4-… --subject ada --set chat_user_profile.language=de',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const given = required(call.flags, 'scope', SCOPE_VALUE);
  const write = call.flags.text('set') === undefined ? await factWrite(call) : typedWrite(call);
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const scope = await givenScope(engine, given);
    const result = await write(engine, scope);
    const receipt = result.receipts[0];
    const { totals, position } = toCommitted(result);
    if (call.isJson)
      await printJson(call, {
        scope_block_uuid: scope,
        uuid: receipt?.uuid ?? null,
        root_uuid: receipt?.root_uuid ?? null,
        operation_id: receipt?.operation_id ?? null,
        ...totals,
        position,
        ...(result.proposal && { proposal: result.proposal }),
      });
    else if (result.proposal) {
      const { proposal_uuid: id, tier } = result.proposal;
      await printText(call, id);
      remark(
        call,
        `It is ${tier} and waits for another principal: contextengine approvals show ${id}`,
      );
    } else {
      await printText(call, receipt?.root_uuid ?? '');
      remark(
        call,
        `${receipt?.outcome ?? 'nothing written'}; what it was and will be: contextengine ` +
          `history ${receipt?.root_uuid ?? ''}`,
        'dim',
      );
    }
    if (call.flags.text('set') === undefined) remarkUnselected(call, engine.manifests);
    return 0;
  });
}

/**
 * A fact that no layer selects is stored, and never seen: a misspelt category would show weeks
 * later.
 */
function remarkUnselected(call: Call, { manifests }: ManifestSet): void {
  const category = call.flags.text('category');
  const lists = manifests.flatMap(({ layers }) =>
    layers.flatMap(({ kind, categories }) => (kind === 'open_set' ? [categories] : [])),
  );
  const isSelected = lists.some(
    (categories) =>
      categories.length === 0 || (category !== undefined && categories.includes(category)),
  );
  if (lists.length === 0 || isSelected) return;
  const what = category === undefined ? 'facts without a category' : `the category \`${category}\``;
  const known = [...new Set(lists.flat())];
  remark(
    call,
    `No \`open_set\` layer of the loaded manifests selects ${what}. ` +
      `${didYouMean(category ?? '', known)}`,
    'yellow',
  );
}

type Write = (engine: ContextEngine, scope: string) => Promise<WriteResult>;

async function factWrite(call: Call): Promise<Write> {
  const { flags } = call;
  const given = call.positionals[0];
  if (given === undefined)
    throw usageError(
      'There is nothing to remember.',
      'Write the fact as one quoted text, or a typed value with `--set`.',
    );
  const content = given === '-' ? await readAll(call) : given;
  const fact = compact({
    content,
    subject: flags.text('subject'),
    category: flags.text('category'),
    class: flags.text('class'),
    importance: numberFlag(flags, 'importance'),
    confidence: numberFlag(flags, 'confidence'),
    tags: flags.texts('tag'),
    valid_from: flags.text('valid-from'),
    valid_until: flags.text('valid-until'),
    replaces: flags.text('replaces'),
    corrects: flags.text('corrects'),
  });
  return (engine, scope) =>
    engine.remember(scope, { ...fact, provenance: { source_type: 'cli', source_class: 'user' } });
}

function typedWrite(call: Call): Write {
  const { flags } = call;
  if (call.positionals.length > 0)
    throw usageError('A text and `--set` are both given.', 'Give one of them.');
  const refused = ['category', 'class', 'importance', 'tag', 'replaces', 'corrects'].find((name) =>
    flags.isOn(name),
  );
  if (refused !== undefined)
    throw usageError(
      `\`--${refused}\` is for facts, \`--set\` for typed values.`,
      'Leave one of them out.',
    );
  const set = flags.text('set') ?? '';
  const hit = /^([^.=\s]+)\.([^=\s]+)=(.*)$/s.exec(set);
  if (!hit)
    throw usageError(`\`--set\` is \`${set}\`.`, 'Write `--set collection.property=value`.');
  const [, collection = '', property = '', text = ''] = hit;
  const subject = required(flags, 'subject', 'WHO');
  const options = compact({
    valid_from: flags.text('valid-from'),
    valid_until: flags.text('valid-until'),
    confidence: numberFlag(flags, 'confidence'),
  });
  return (engine, scope) =>
    engine.setTyped(scope, subject, collection, property, jsonOrText(text), {
      ...options,
      provenance: { source_type: 'cli', source_class: 'user' },
    });
}

async function readAll(call: Call): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of call.terminal.stdin)
    parts.push(typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat(parts).toString('utf8').trim();
}
