/**
 * Which hosts get the key of the environment. Whoever sets the key says where it goes; a file that
 * came with a folder does not.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { CONFIG_FILE } from './config-file.ts';

const OWN_HOST = 'https://api.openai.com';
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = (text: string | undefined): URL | null =>
  text !== undefined && URL.canParse(text) ? new URL(text) : null;

/**
 * Throws `CONFIG.INVALID_VALUE` where `field` of the file would send OPENAI_API_KEY to a host that
 * the environment does not name too, as OPENAI_BASE_URL. A host of this machine may have it.
 */
export function assertKeyMayGo(
  setting: object | string,
  field: string,
  env: (name: string) => string | undefined,
): void {
  if (typeof setting === 'string' || !('baseUrl' in setting)) return;
  const stated = typeof setting.baseUrl === 'string' ? setting.baseUrl : undefined;
  const to = urlOf(stated);
  // What is no URL is refused with the engine's options.
  if (to === null || env('OPENAI_API_KEY') === undefined || LOOPBACK.has(to.hostname)) return;
  const named = urlOf(env('OPENAI_BASE_URL') ?? OWN_HOST);
  if (named?.origin === to.origin) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message:
      `\`${field}.base_url\` of ${CONFIG_FILE} is \`${to.origin}\`, which would get ` +
      'OPENAI_API_KEY of the environment.',
    fix: `Set OPENAI_BASE_URL to it beside the key, where the key is meant for it.`,
    where: { file: CONFIG_FILE, field: `${field}.base_url` },
  });
}
