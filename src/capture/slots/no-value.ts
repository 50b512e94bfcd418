/** What follows `my name is` or `I live in` and is neither a name nor a place. */
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { isNoChange } from './no-change.ts';
import { PASSING_STATE } from './rules.ts';
import { isTool, toolsLike } from './tool-kinds.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** No value of any kind begins with them. */
const NO_START = set(
  'not no never none nothing nobody neither nor so too very really quite rather almost nearly as like if when why how what who because being getting going killing driving making giving off',
);
const SAYS_HOW =
  'important irrelevant unimportant private secret unknown unusual common rare long short funny weird odd hard difficult easy tricky spelled spelt spelling pronounced written misspelled misspelt taken wrong right correct mud legion hidden fine cool nice safe the same different';
/** By slot; where a name is asked for, a small letter alone says little. */
const NO_START_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    name: set(
      `${SAYS_HOW} a an the in on at by of to for from with off out up my your his her our their its this that also just back later again tomorrow today tonight tonite maybe crazy anytime soon now please before after around asap when whenever first collect over never someday sometime old stupid silly bike bicycle car train bus foot tram metro subway plane boat ferry taxi scooter ear feel often sometimes usually frequently commonly regularly constantly mostly rarely always shortened abbreviated mispronounced translated confused mistaken`,
    ),
    occupation: set(
      `${SAYS_HOW} meaningless pointless hell misery unclear at in on with from by of to for out off about after before under over always also just usual planned expected intended needed part hard fast much little well long late early lot`,
    ),
    home: set(
      'fear hope peace harmony denial sin poverty luxury chaos constant permanent perpetual exile doubt pain style comfort hiding solitude squalor terror dread misery anxiety shame pyjamas pajamas jeans sweatpants interesting two past present moment future now dreams dream bubble same lala cloud sync agony isolation seclusion retirement filth darkness horror silence bliss style awe wonder',
    ),
    employer: set(
      'free fun myself money peanuts hours hour days nights night weekends weeks months years two three four five six seven eight nine ten heights speed home school once present moment times least most first last full half both minimum less more nothing everything pleasure food tips cash profit change justice peace good all breakfast lunch dinner desk',
    ),
    birthday: set('soon near over not special coming a an no never the'),
    car: set(
      'parked red blue black white green grey gray silver yellow old new dirty clean broken dead fast slow fixed stolen gone here insured electric',
    ),
    'time zone': set(`${SAYS_HOW} annoying bad terrible confusing a an far`),
    '': set('none off on out private secret over dead important nothing many too various boring'),
  }),
);
/** `as fast as I can`, `part of a team`. */
const COMPARES = /^(?:\S+ as |part of )/;
/** `the head of the team` is an occupation; `the director of my life` is a saying. */
const OF_OWN = / of (?:my|our) (?:own |life|destiny|fate|dreams|heart|house|home)/;
/** `New job, week 3`. */
const COUNTED = /^(?:wk|week|day|month|year|shift|round) \d+$/;
const ARTICLES = set('a an the');
const MOST_READ = 120;

/** `We moved to Postgres 17`: nobody lives there. */
const SOFTWARE =
  /^(?:postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|redis|kafka|node(?:\.?js)?|python|java|kotlin|typescript|react|angular|vue|svelte|next(?:\.?js)?|django|rails|laravel|spring boot|kubernetes|k8s|docker|terraform|aws|gcp|azure|github|gitlab|bitbucket|jira|slack|teams|notion|linear|pnpm|yarn|npm|bun|deno|vite|vitest|jest|playwright|graphql|rust|ubuntu|debian|macos|windows|linux|figma|vercel|netlify|cloudflare|snowflake|bigquery|dbt|airflow|elasticsearch|opensearch|clickhouse|stripe|shopify|xero|quickbooks|hubspot|salesforce|zendesk|intercom|mailchimp|sendgrid|paypal|adyen|braintree|datadog|sentry|asana|trello|clickup|confluence|dropbox|zoom|discord|hetzner|heroku|digitalocean|netsuite|odoo|magento|wordpress|squarespace|webflow|airtable|okta|twilio|mixpanel|posthog|grafana|prometheus|splunk|supabase|firebase|api|spotify|tidal|deezer|netflix|hulu|disney\+?|youtube|audible|kindle|whatsapp|signal|telegram|gmail|outlook|icloud|chrome|firefox|safari|android|vodafone|verizon|t-mobile|revolut|paypal|monzo)\b/;
/** `WooCommerce`, `v2`: no town is written so. */
const AS_PRODUCT = /\p{Ll}\p{Lu}|\bv\d/u;

/** `I work at 80%`, `at 9 in the morning`: how much, or when. `7 Eleven` is a firm. */
const SHARE = /^\d[\d.,:]*(?:$|%|[ap]m\b|(?:kg|lbs?|k|h|hrs?)\b| \p{Ll})/u;

/** `I moved from UBS to ZKB`: a place has a name, but for a few. */
const INITIALS = /^(?!(?:LA|NYC|NY|SF|DC|UK|US|USA|UAE)$)\p{Lu}{2,5}$/u;

/** `New job wk 3`: how long it is going on. */
const NTH_WEEK = /^ (?:new|my|our) (?:[a-z]+ ){1,3}(?:wk|week|day|month|year) \d+ $/;

/** `I'm at 80 kg on the bench press`: what one lifts, not what one weighs. */
const LIFTED =
  /^ (?:i'm|i am) (?:now )?(?:(?:down|up|back) )?(?:to |at )?\d+ ?(?:kgs?|kilos?|lbs?|pounds) (?:now )?(?:on|for|in) (?!(?:the |my )?(?:scales?|average|paper|moment|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s? )/;

export function hasNoSlot({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean {
  if (isNoChange(plain) && isNoChange(sentenceOf(firstClause(text), 0).plain)) return true;
  if (NTH_WEEK.test(plain) || LIFTED.test(plain)) return true;
  if ((CARRIED.test(plain) && !TO_TOOL.test(plain)) || NAMED_THERE.test(text.slice(0, MOST_READ)))
    return true;
  return PASSING_STATE.some((phrase) => plain.includes(` ${phrase} `));
}

/** `In France my name is Adèle`: there, and not for all. */
const NAMED_THERE =
  /^(?:(?:[Aa]nd|[Bb]ut|[Ss]o),? )?(?:[Ii]n|[Aa]t|[Oo]n|[Aa]mong|[Ff]or) (?:(?:\p{Lu}[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)?|work|school|church|public|private|(?:the|my|our) (?:[\p{L}-]+ )?(?:family|friends|office|team|passport|papers|documents|id|certificate|church|army|band|game|forum|internet|village|gym|club)),? (?:my (?:first |last |given )?name is|I am called|I['’]m called|they call me|people call me|everyone calls me|I go by)(?![\p{L}])/u;

/** What is carried from one place to another is nowhere a value of what it is. */
const CARRIED =
  / (?:moved|copied|transferred|shifted|migrated|sent|brought|took) (?:all |some )?(?:of )?(?:the |my |our )?(?:[a-z-]+ )?(?:data|stuff|furniture|equipment|luggage|money|everything|things|belongings|files|folders|photos|pictures|boxes|books|backups|records|documents) from .+ to /;

/** `I never left Acme, I work there still` says a slot behind its first clause. */
const firstClause = (text: string): string => /^[^,;–—]{8,}?(?=[,;–—] )/u.exec(text)?.[0] ?? text;

/** `We moved from Xero to Exact`: from what is no home to what is none. */
const SWITCHED = / (?:moved|switched|migrated|changed) (?:[a-z]+ )?from (.+) to /;
export const isFromSoftware = ({ plain }: Pick<Sentence, 'plain'>): boolean =>
  SOFTWARE.test(SWITCHED.exec(plain)?.[1] ?? '');

/** `We moved everything from AWS to Azure`: where it runs now. */
const TO_TOOL = new RegExp(` everything from .+ to (?:${toolsLike('aws').join('|')}) `);

/** Whether the words are none of the slot. `said`: as they were written. */
export function isNoValue(slot: string, said: string): boolean {
  const plain = said.slice(0, MOST_READ).toLowerCase().replaceAll('’', "'");
  const words = plain.split(/[^\p{L}\p{N}'-]+/u).filter((word) => word !== '');
  const first = words[ARTICLES.has(words[0] ?? '') && slot !== 'name' ? 1 : 0] ?? '';
  const bare = said.replace(/^(?:an?|the) /, '');
  const isSoftware = SOFTWARE.test(plain) || isTool(plain);
  const isNoPlace = isSoftware || AS_PRODUCT.test(bare) || INITIALS.test(bare);
  if (slot === 'home' && isNoPlace) return true;
  if (slot === 'employer' && SHARE.test(said)) return true;
  // `Call me Crazy Horse`, `I live in Hope`: what has a capital is a name.
  if (/^\p{Lu}/u.test(bare) && !NO_START.has(first)) return false;
  if (NO_START.has(first) || (NO_START_OF.get(slot)?.has(first) ?? false)) return true;
  return (
    slot === 'occupation' && (COMPARES.test(plain) || OF_OWN.test(plain) || COUNTED.test(plain))
  );
}
