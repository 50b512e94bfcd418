/** JSON Lines: one turn a line. */
import { basename } from 'node:path';
import { parseInstant } from '../model/ids.ts';
import { parseJsonText } from '../text/json-text.ts';
import type { InputPlace } from './input-error.ts';
import { assertStorable, assertStorableJson, inputError } from './input-error.ts';
import { digestOf } from './keys.ts';
import { readLines } from './lines.ts';
import type { Source, SourceFile, TurnRecord } from './record.ts';

/**
 * A conversation. Found again by its name and its first turn: two files of one name in two folders
 * are two conversations, and an appended file is still itself.
 */
export async function openTurns(file: SourceFile): Promise<readonly Source[]> {
  const records = (): AsyncGenerator<TurnRecord> => readTurns(file.path, file.shown);
  let first: TurnRecord | undefined;
  for await (const record of records()) {
    first = record;
    break;
  }
  if (first === undefined)
    throw inputError(
      'The file has no turns.',
      'Write one JSON object with `role` and `content` a line.',
      { file: file.shown },
    );
  const name = file.isNamed
    ? file.name
    : `${file.name}#${digestOf([first.role, first.author, first.occurredAt, first.content])}`;
  return [{ name, title: basename(file.name), records }];
}

async function* readTurns(path: string, shown: string): AsyncGenerator<TurnRecord> {
  for await (const { number, text } of readLines(path, shown)) {
    if (text.trim() === '') continue;
    yield toTurn(parseJsonText(text, { file: shown, line: number, code: 'CLI.INPUT' }), {
      file: shown,
      line: number,
    });
  }
}

const ROLES: Readonly<Record<string, string>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

/**
 * One object to a turn; what is not a field of a turn is kept in its metadata. Throws `CLI.INPUT`.
 */
export function toTurn(value: unknown, where: InputPlace): TurnRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw inputError(
      'The line is not a JSON object.',
      'Write an object with `role` and `content`.',
      where,
    );
  }
  const {
    role,
    content,
    author,
    name,
    occurred_at: occurredAt,
    timestamp,
    created_at: createdAt,
    title,
    tags,
    block_type: blockType,
    metadata,
    ...rest
  } = value as Readonly<Record<string, unknown>>;
  const text = contentText(content, where);
  assertStorable(text, { ...where, field: 'content' });
  const kept = { ...rest, ...metadataOf(metadata, where) };
  assertStorableJson([kept, author, title, tags, name], where);
  return {
    kind: 'turn',
    role: roleOf(role, where),
    author: textOrNull(author ?? name, 'author', where),
    occurredAt:
      timeOf({ occurred_at: occurredAt, timestamp, created_at: createdAt }, where) ??
      likelyTime(rest),
    title: textOrNull(title, 'title', where),
    content: text,
    tags: tagsOf(tags, where),
    metadata: kept,
    blockType: blockTypeOf(blockType, where),
    identity: '',
  };
}

/** A text, or the text parts of a message that is a list of parts. */
function contentText(content: unknown, where: InputPlace): string {
  if (content === undefined || content === null)
    throw inputError(
      'The turn has no `content`.',
      'Add `content`, a text; leave out turns that say nothing.',
      {
        ...where,
        field: 'content',
      },
    );
  const parts = Array.isArray(content)
    ? content.map((part: unknown) =>
        typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
          ? part.text
          : null,
      )
    : [content];
  const texts = parts.filter((part): part is string => typeof part === 'string');
  const text = texts.join('\n');
  if (texts.length !== parts.length)
    throw inputError(`\`content\` is ${kindOf(content)}.`, 'Write `content` as a text.', {
      ...where,
      field: 'content',
    });
  if (text.trim() === '')
    throw inputError('`content` is empty.', 'Leave out turns that say nothing.', {
      ...where,
      field: 'content',
    });
  return text;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list with parts that have no text' : `of type \`${typeof value}\``;

function roleOf(role: unknown, where: InputPlace): string | null {
  if (role === undefined || role === null) return null;
  const known =
    typeof role === 'string' && Object.hasOwn(ROLES, role.toLowerCase())
      ? ROLES[role.toLowerCase()]
      : undefined;
  if (known === undefined)
    throw inputError(
      `\`role\` is \`${String(role).slice(0, 40)}\`.`,
      'Use `user`, `assistant`, `system` or `tool`.',
      {
        ...where,
        field: 'role',
      },
    );
  return known;
}

const BLOCK_TYPE = /^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$/;

function blockTypeOf(value: unknown, where: InputPlace): string {
  if (value === undefined || value === null) return 'turn';
  if (typeof value === 'string' && BLOCK_TYPE.test(value)) return value;
  throw inputError(
    `\`block_type\` is \`${String(value).slice(0, 40)}\`.`,
    'Begin with a letter; then letters, digits and `_ . : / -`.',
    {
      ...where,
      field: 'block_type',
    },
  );
}

function textOrNull(value: unknown, field: string, where: InputPlace): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > 500)
    throw inputError(
      `\`${field}\` is not a text of at most 500 characters.`,
      `Write \`${field}\` as a short text.`,
      { ...where, field },
    );
  return value;
}

function tagsOf(value: unknown, where: InputPlace): readonly string[] {
  if (value === undefined || value === null) return [];
  const tags: unknown[] = Array.isArray(value) ? value : [value];
  const texts = tags.filter((tag): tag is string => typeof tag === 'string');
  if (texts.length !== tags.length)
    throw inputError('`tags` is not a list of texts.', 'Write `tags` as `["a", "b"]`.', {
      ...where,
      field: 'tags',
    });
  return texts;
}

function metadataOf(value: unknown, where: InputPlace): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw inputError('`metadata` is not an object.', 'Write `metadata` as `{ … }`.', {
      ...where,
      field: 'metadata',
    });
  return value as Readonly<Record<string, unknown>>;
}

/**
 * Below this a number is seconds, above it milliseconds: 10^11 ms is 1973, 10^11 s the year 5138.
 */
const SECONDS_BELOW = 1e11;

/** What other systems call the time of a turn. It stays in the metadata as well. */
const LIKELY_TIMES = ['createdAt', 'time', 'ts', 'date'];

const instantOf = (value: unknown, field: string): string =>
  parseInstant(typeof value === 'number' && value < SECONDS_BELOW ? value * 1000 : value, field);

/**
 * The first of the likely keys whose value reads as a time; any of them may hold something else.
 */
function likelyTime(rest: Readonly<Record<string, unknown>>): string | null {
  for (const key of LIKELY_TIMES) {
    if (rest[key] === undefined) continue;
    try {
      return instantOf(rest[key], key);
    } catch {
      // Half past noon, or the seconds into a recording: no instant.
    }
  }
  return null;
}

/** The first time that is there. A time without a zone is UTC; a number is Unix time. */
export function timeOf(
  fields: Readonly<Record<string, unknown>>,
  where: InputPlace,
): string | null {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    try {
      return instantOf(value, field);
    } catch {
      throw inputError(
        `\`${field}\` is \`${String(value).slice(0, 60)}\`, not a time.`,
        'Write ISO 8601, for example `2026-03-01T09:00:00Z`, or Unix time.',
        { ...where, field },
      );
    }
  }
  return null;
}
