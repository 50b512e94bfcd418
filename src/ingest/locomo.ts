/**
 * LoCoMo: long conversations of two people in dated sessions; each conversation is a scope of its
 * own.
 */
import { parseInstant } from '../model/ids.ts';
import { MONTH_NAMES } from '../text/calendar.ts';
import type { InputPlace } from './input-error.ts';
import { assertStorable, assertStorableJson, inputError } from './input-error.ts';
import type { Source, TurnRecord } from './record.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a JSON value looks like the data set: a list of objects with a `conversation`. */
export const isLocomo = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((entry) => isFields(entry) && isFields(entry['conversation']));

/** One source a conversation, by `sample_id`. */
export function openLocomo(value: unknown, shown: string): readonly Source[] {
  if (!isLocomo(value))
    throw inputError(
      'The file is not a list of LoCoMo conversations.',
      'Give a JSON list of objects with `sample_id` and `conversation`.',
      { file: shown },
    );
  return value.map((sample, index) => {
    const id =
      typeof sample['sample_id'] === 'string' ? sample['sample_id'] : `conversation-${index + 1}`;
    const conversation = sample['conversation'];
    if (!isFields(conversation))
      throw inputError(
        `\`${id}\` has no \`conversation\`.`,
        'Add `conversation` with `session_1`, `session_1_date_time`, ….',
        {
          file: shown,
          field: id,
        },
      );
    const turns = (): readonly TurnRecord[] => turnsOf(conversation, { file: shown, field: id });
    if (turns().length === 0)
      throw inputError(
        `\`${id}\` has no turns.`,
        'Add `session_1` with turns, or leave the conversation out.',
        { file: shown, field: id },
      );
    async function* records(): AsyncGenerator<TurnRecord> {
      yield* turns();
    }
    return {
      name: `locomo:${id}`,
      title:
        `${id}: ${String(conversation['speaker_a'] ?? '?')} and ` +
        `${String(conversation['speaker_b'] ?? '?')}`,
      records,
    };
  });
}

/** Sessions by number; some dates stand without a session. */
function turnsOf(conversation: Fields, where: InputPlace): readonly TurnRecord[] {
  const numbers = Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  return numbers.flatMap((session) => {
    const turns = conversation[`session_${session}`];
    if (!Array.isArray(turns))
      throw inputError(
        `\`session_${session}\` is not a list.`,
        'Write the turns of a session as a list.',
        where,
      );
    const occurredAt = parseSessionTime(conversation[`session_${session}_date_time`], {
      ...where,
      field: `${where.field ?? ''} session_${session}_date_time`,
    });
    return turns.map((turn: unknown) => toTurn(turn, { session, occurredAt, where }));
  });
}

function toTurn(
  turn: unknown,
  {
    session,
    occurredAt,
    where,
  }: { readonly session: number; readonly occurredAt: string; readonly where: InputPlace },
): TurnRecord {
  if (!isFields(turn) || typeof turn['text'] !== 'string' || typeof turn['dia_id'] !== 'string') {
    throw inputError(
      `A turn of \`session_${session}\` has no \`text\` or no \`dia_id\`.`,
      'Give every turn `speaker`, `dia_id` and `text`.',
      where,
    );
  }
  const { speaker, text, dia_id: diaId, blip_caption: caption, ...rest } = turn;
  // what a picture shows is evidence for many questions, and a search sees text only
  const content =
    typeof caption === 'string' && caption !== ''
      ? `${text}\n(shared an image: ${caption})`.trim()
      : text;
  assertStorable(content, { ...where, field: diaId });
  const metadata = {
    dia_id: diaId,
    session,
    ...(caption === undefined ? {} : { blip_caption: caption }),
    ...rest,
  };
  assertStorableJson(metadata, { ...where, field: diaId });
  return {
    kind: 'turn',
    role: 'user',
    author: typeof speaker === 'string' ? speaker : null,
    occurredAt,
    title: null,
    content,
    tags: [],
    metadata,
    blockType: 'turn',
    identity: diaId,
  };
}

const SESSION_TIME = /^\s*(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})\s*$/i;

/** `1:56 pm on 8 May, 2023`, taken as UTC: the data set names no zone. Throws `CLI.INPUT`. */
export function parseSessionTime(value: unknown, where: InputPlace): string {
  const hit = typeof value === 'string' ? SESSION_TIME.exec(value) : null;
  const month = MONTH_NAMES.indexOf((hit?.[5] ?? '').toLowerCase());
  if (!hit || month < 0)
    throw inputError(
      `The session time is \`${String(value).slice(0, 60)}\`.`,
      'Write it as `1:56 pm on 8 May, 2023`.',
      where,
    );
  const hour = (Number(hit[1]) % 12) + (hit[3]?.toLowerCase() === 'p' ? 12 : 0);
  const two = (part: number | string | undefined): string => String(part).padStart(2, '0');
  return parseInstant(
    `${hit[6]}-${two(month + 1)}-${two(hit[4])}T${two(hour)}:${hit[2]}:00Z`,
    where.field ?? 'session time',
  );
}
