/** Ids on the command line that are no scopes: what they are, and where each is found. */
import { ContextEngineError, isUuid } from '../index.ts';

const FOUND = {
  composition:
    '`contextengine compose --trace` prints it on stderr, `--json` as `composition_id`; `latest` ' +
    'is the newest',
  proposal: '`contextengine approvals list` prints it, and its first 8 digits will do',
  fact:
    '`contextengine facts list` prints it as root, and `contextengine compose --json` as ' +
    '`root_uuid`',
  row:
    '`contextengine facts list` prints that of a fact as root, `contextengine compose --json` ' +
    'that of each item as `root_uuid`',
  operation:
    '`contextengine remember` and `correct` print it with `--json` as `operation_id`, ' +
    '`contextengine erase --list` as the id of what was forgotten',
  redaction: '`contextengine erase --list` prints it',
} as const;

/** Throws `CONFIG.INVALID_VALUE` for what is no uuid. */
export function givenId(what: keyof typeof FOUND, given: string): string {
  if (isUuid(given)) return given;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${given.slice(0, 200)}\` is not the uuid of ${what === 'operation' ? 'an' : 'a'} ${what}.`,
    fix: `Give the uuid: ${FOUND[what]}.`,
  });
}
