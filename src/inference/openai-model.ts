/**
 * A model behind any endpoint that speaks OpenAI's chat completions with structured output. Plain
 * `fetch`: one request needs no package.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { LONGEST_TIMER_MS } from '../model/time-limit.ts';
import { codeOfStatus } from './openai-errors.ts';
import { listedPrice, type ModelPrice } from './prices.ts';
import type { ModelAnswer, ModelQuestion, StructuredModel } from './structured-model.ts';

export interface OpenaiModelOptions {
  readonly model: string;
  /** With its version path, for example `http://localhost:11434/v1`. */
  readonly baseUrl?: string;
  /** Local servers need none. An engine takes OPENAI_API_KEY of the environment by default. */
  readonly apiKey?: string;
  /** In milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
  /** Needed for a model whose price is not known; 0 for one of your own. */
  readonly inputUsdPerMillion?: number;
  readonly outputUsdPerMillion?: number;
}

const DEFAULT_URL = 'https://api.openai.com/v1';
const DEFAULT_TIMEOUT_MS = 60_000;
/** Far more than a question leaves room for: what is longer is no answer. */
const MOST_BYTES = 4_000_000;

/** @throws `CONFIG.INVALID_VALUE` for an option that cannot work, or a model without a price. */
export function openaiModel(options: OpenaiModelOptions): StructuredModel {
  checkOptions(options);
  const { model, timeoutMs: patienceMs = DEFAULT_TIMEOUT_MS } = options;
  return {
    model,
    patienceMs,
    price: priceOf(options),
    ask: async (question) => toAnswer(await send(question, { ...options, patienceMs }), options),
  };
}

function checkOptions(options: OpenaiModelOptions): void {
  const { model, baseUrl, apiKey, timeoutMs } = options;
  if (typeof model !== 'string' || model.trim() === '' || model.length > 100)
    throw invalid('model', model, 'Name the model, for example `gpt-4.1-mini`.');
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl))
    throw invalid(
      'baseUrl',
      baseUrl,
      'Give an http or https URL with its version path, for example `http://localhost:11434/v1`.',
    );
  if (apiKey !== undefined && typeof apiKey !== 'string')
    throw invalid('apiKey', typeof apiKey, 'Pass the key as text, or leave it out.');
  const isTime =
    Number.isInteger(timeoutMs) && Number(timeoutMs) >= 1 && Number(timeoutMs) <= LONGEST_TIMER_MS;
  if (timeoutMs !== undefined && !isTime)
    throw invalid('timeoutMs', timeoutMs, `Pass 1 to ${LONGEST_TIMER_MS} milliseconds.`);
  for (const field of ['inputUsdPerMillion', 'outputUsdPerMillion'] as const) {
    const price = options[field];
    if (price !== undefined && !(Number.isFinite(price) && price >= 0))
      throw invalid(field, price, 'Pass dollars for a million tokens; 0 for a model of your own.');
  }
}

function priceOf(options: OpenaiModelOptions): ModelPrice {
  const { model, inputUsdPerMillion: input, outputUsdPerMillion: output } = options;
  if (input !== undefined && output !== undefined)
    return { input_usd_per_million: input, output_usd_per_million: output };
  const price = listedPrice(model);
  if (price) return price;
  throw invalid(
    'inputUsdPerMillion',
    input,
    `State \`inputUsdPerMillion\` and \`outputUsdPerMillion\` of \`${model}\`: without its price no cap on cost holds. 0 for a model of your own.`,
  );
}

interface Sending extends OpenaiModelOptions {
  readonly patienceMs: number;
}

async function send(question: ModelQuestion, options: Sending): Promise<string> {
  const { model, baseUrl = DEFAULT_URL, apiKey, patienceMs } = options;
  const { system, user, name, schema, mostOutputTokens, signal } = question;
  const patience = AbortSignal.timeout(patienceMs);
  let isSent = false;
  try {
    const response = await fetch(`${baseUrl}${baseUrl.endsWith('/') ? '' : '/'}chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        max_completion_tokens: mostOutputTokens,
        response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } },
      }),
    });
    isSent = true;
    const text = await readText(response);
    if (response.ok) return text;
    throw unavailable(`answered ${response.status}: \`${safe(text, apiKey)}\``, options, {
      status: response.status,
      is_free: true,
    });
  } catch (cause) {
    if (cause instanceof ContextEngineError) throw cause;
    if (signal?.aborted)
      throw new ContextEngineError('CONNECTOR.DEADLINE', {
        message: 'The call was aborted while a model was asked.',
        fix: 'Call again; what was captured before it stays.',
        cause,
      });
    const isLate = patience.aborted;
    const why = isLate
      ? `did not answer within ${patienceMs} ms`
      : `could not be used: ${reasonOf(cause)}`;
    throw unavailable(why, options, { status: null, is_free: !isSent && !isLate, cause });
  }
}

const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return `\`${shown(inner instanceof Error ? inner.message : String(inner))}\``;
};
const safe = (text: string, apiKey: string | undefined): string =>
  shown((apiKey ? text.replaceAll(apiKey, '***') : text).slice(0, 200));

/** Reads no more than an answer can be. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MOST_BYTES) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Servers of one's own are given `local` or `none` as a key: a word of any answer. */
const LEAST_SECRET = 12;

/** What is no answer of the protocol is an answer without a text: it is judged, and costs. */
function toAnswer(body: string, { apiKey }: OpenaiModelOptions): ModelAnswer {
  const answer = parsed(body);
  const [choice] = asList(field(answer, 'choices'));
  const content = field(field(choice, 'message'), 'content');
  const usage = field(answer, 'usage');
  const text = typeof content === 'string' ? content : '';
  return {
    text: apiKey && apiKey.length >= LEAST_SECRET ? text.replaceAll(apiKey, '***') : text,
    input_tokens: countOf(field(usage, 'prompt_tokens')),
    output_tokens: countOf(field(usage, 'completion_tokens')),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const KEPT = 'nothing was captured of this batch, and nothing is lost.';

const NOT_FOUND = 404;
/** A model or a path that is not there is mended by hand, as a key is. */
const codeOf = (status: number | null): ReturnType<typeof codeOfStatus> =>
  status === NOT_FOUND ? 'INFERENCE.REFUSED' : codeOfStatus(status);

const unavailable = (
  why: string,
  { model }: OpenaiModelOptions,
  {
    cause,
    ...meta
  }: { readonly status: number | null; readonly is_free: boolean; readonly cause?: unknown },
): ContextEngineError =>
  new ContextEngineError(codeOf(meta.status), {
    message: `The endpoint of \`${model}\` ${why}.`,
    fix:
      meta.status === NOT_FOUND
        ? `Check \`model\` and \`baseUrl\`, which includes the version path (\`/v1\`): ${KEPT}`
        : codeOf(meta.status) === 'INFERENCE.REFUSED'
          ? `Check \`apiKey\` of the extractor, or OPENAI_API_KEY: ${KEPT}`
          : `Check \`baseUrl\`, \`model\` and the key, or try again later: ${KEPT}`,
    meta: { model, ...meta },
    cause,
  });

const invalid = (name: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${name}\` of the extractor is \`${shown(value)}\`.`,
    fix,
    where: { field: name },
  });
