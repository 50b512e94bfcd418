/** `scope`: create, list, show. */

import { type ContextEngine, ContextEngineError } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import { servedInstead } from '../served-types.ts';
import { withEngine, withWritingEngine } from '../session.ts';
import { cut } from '../table.ts';

type ListedScope = Awaited<ReturnType<ContextEngine['scopes']['list']>>[number];

const ACTIONS = ['create', 'list', 'show'] as const;

export const scopeCommand: Command = {
  name: 'scope',
  summary: 'create, list or show scopes: what a composition is asked for',
  takes: { usage: `create|list|show [${SCOPE_VALUE}]`, min: 1, max: 2 },
  usesLedger: true,
  flags: {
    type: {
      type: 'string',
      value: 'TYPE',
      help: 'create: block type, what a manifest names as scope_block_type; list: only these',
    },
    title: { type: 'string', value: 'TEXT', help: 'create: a name for people' },
    key: {
      type: 'string',
      value: 'KEY',
      help:
        'create: what your application calls it; the scope of a key that is there is taken, ' +
        'under the title that is given',
    },
    inherits: {
      type: 'string',
      value: SCOPE_VALUE,
      isMultiple: true,
      help: 'create: outer scope to read from, nearest first',
    },
  },
  examples: [
    'contextengine scope create --type chat_session --title "Support thread 4711"',
    'contextengine scope create --type user --key "auth0|dana" --title Dana',
    'contextengine scope list',
    'contextengine scope show 0190a2b4-…',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', uuid] = call.positionals;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`scope ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  if (action === 'show' && uuid === undefined)
    throw usageError(
      '`scope show` needs a scope.',
      'Give its key, or its uuid from `contextengine scope list`.',
    );
  if (action !== 'show' && uuid !== undefined)
    throw usageError(
      `\`scope ${action}\` does not take \`${uuid}\`.`,
      call.flags.isOn('inherits')
        ? `Write \`--inherits ${uuid}\` for another outer scope, or leave it out.`
        : `Write \`--type ${uuid}\`, if that is what the scopes are of.`,
    );
  if (action === 'create') return create(call);
  return action === 'list' ? list(call) : show(call, uuid ?? '');
}

async function create(call: Call): Promise<ExitCode> {
  const type = required(call.flags, 'type', 'chat_session');
  const title = call.flags.text('title');
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const key = call.flags.text('key');
    const input = {
      type,
      inherits: await Promise.all(
        call.flags.texts('inherits').map((outer) => givenScope(engine, outer)),
      ),
      ...(title === undefined ? {} : { title }),
    };
    const created =
      key === undefined
        ? { ...(await engine.scopes.create(input)), is_new: true }
        : await engine.scopes.getOrCreate({ ...input, key });
    if (call.isJson)
      await printJson(call, {
        scope_block_uuid: created.scope_block_uuid,
        is_new: created.is_new,
        position: created.result?.position ?? [],
      });
    else await printText(call, created.scope_block_uuid);
    const isServed = engine.manifests.manifests.some(
      (manifest) => manifest.scopeBlockType === type,
    );
    if (!isServed)
      remark(
        call,
        `No loaded manifest serves scopes of type \`${type}\`: fine for a scope that others ` +
          `inherit, while compose for the scope itself needs one.${servedInstead(engine, type)}`,
        'dim',
      );
    return 0;
  });
}

/** A key has the room that a uuid leaves on a line of 100 columns; `--json` has all of it. */
const KEY_COLUMNS = 28;

/** The title, and what the scope reads from: by key, title or uuid. */
function wordsOf({ title, inherits }: ListedScope, held: readonly ListedScope[]): string {
  const outer = inherits.map((uuid) => {
    const known = held.find((each) => each.scope_block_uuid === uuid);
    return known?.key ?? known?.title ?? uuid;
  });
  const inherited = outer.length === 0 ? '' : `inherits ${outer.join(', ')}`;
  return [title ?? '', inherited].filter((words) => words !== '').join(' · ');
}

async function list(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const type = call.flags.text('type');
    const held = await engine.scopes.list();
    const scopes = held.filter((scope) => type === undefined || scope.type === type);
    if (call.isJson) await printJson(call, scopes);
    else if (scopes.length === 0)
      remark(
        call,
        'No scopes yet. Make one with `contextengine ingest PATH --scope-type TYPE` or ' +
          '`contextengine scope create --type TYPE`.',
      );
    else {
      const rows = scopes.map((scope) => [
        scope.scope_block_uuid,
        scope.type,
        String(scope.head),
        cut(oneLine(scope.key ?? ''), KEY_COLUMNS),
        wordsOf(scope, held),
      ]);
      const layout = [
        { title: 'scope' },
        { title: 'type' },
        { title: 'head', align: 'right' as const },
        { title: 'key' },
        { title: 'title, inherits', isFlexible: true },
      ];
      await printTable(call, layout, rows);
    }
    return 0;
  });
}

async function show(call: Call, given: string): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const uuid = await givenScope(engine, given);
    const held = await engine.scopes.list();
    const scope = held.find((known) => known.scope_block_uuid === uuid);
    if (!scope)
      throw new ContextEngineError('SCOPE.NOT_FOUND', {
        message: `There is no scope \`${uuid}\` that you hold.`,
        fix: 'See `contextengine scope list`.',
      });
    const serving = engine.manifests.manifests.filter(
      (manifest) => manifest.scopeBlockType === scope.type,
    );
    const rows: Record<string, number> = {};
    for await (const line of engine.exportScope(scope.scope_block_uuid)) {
      const table = line['table'];
      if (typeof table === 'string') rows[table] = (rows[table] ?? 0) + 1;
    }
    const manifests = serving.map((manifest) => ({
      name: manifest.name,
      version: manifest.version,
      intents: Object.keys(manifest.intents),
    }));
    if (call.isJson) await printJson(call, { ...scope, rows, manifests });
    else {
      const lines = [
        ['scope', scope.scope_block_uuid],
        ['type', scope.type],
        ['title', scope.title ?? ''],
        ...(scope.key === null ? [] : [['key', scope.key]]),
        ['head', String(scope.head)],
        ...scope.inherits.map((outer) => {
          const known = held.find((each) => each.scope_block_uuid === outer);
          return ['inherits', `${outer} ${known?.title ?? ''}`];
        }),
        ...Object.entries(rows).map(([table, count]) => [table, String(count)]),
        [
          'manifests',
          manifests.map((manifest) => `${manifest.name}@${manifest.version}`).join(', ') ||
            'none serves this type',
        ],
        ['intents', [...new Set(manifests.flatMap((manifest) => manifest.intents))].join(', ')],
      ];
      await printText(
        call,
        lines
          .map(([name = '', value = '']) => `${name.padEnd(22)}${oneLine(value)}`.trimEnd())
          .join('\n'),
      );
    }
    return 0;
  });
}
