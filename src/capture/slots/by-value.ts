/**
 * Slots that the value tells, whatever verb stands before it: `I'm on PST`, `we host on Azure`,
 * `I moved to Elm Street`, `I usually order a cortado`.
 */
import { plainVerb } from './aspect.ts';
import { match, stepsOf, type Token } from './match.ts';
import { type OpenFound, upToCut, upToJoint, withoutArticle } from './open.ts';
import { slotOfTool } from './tool-kinds.ts';
import { isInstrument } from './values.ts';

const split = (text: string): readonly string[] => text.split(' | ');
const set = (words: string): ReadonlySet<string> => new Set(words.split('|'));

interface ByValue {
  /** null = that of the tool. */
  readonly slot: string | null;
  readonly isValue: (said: string) => boolean;
  readonly tells: readonly string[];
  readonly changes: readonly string[];
  /** Another one at the same time is possible. */
  readonly isSoft?: boolean;
  /** A statement of it is kept in its own words. */
  readonly isAsSaid?: boolean;
}

const ZONE =
  /^(?:(?:utc|gmt)(?: ?[+-]?\d{1,2})?|(?:c|e|w|m|p|a|ak|h|j|k|i|s|ae|ac|aw|nz|br|ms)[esd]?t|cest|eest|west|bst|ist|est|edt|aest|aedt|nzst|nzdt|hkt|sgt|wib)$/;
const STREET =
  /^(?:\p{L}[\p{L}'’.-]*(?:-| )){0,3}(?:\p{L}+(?:stra(?:ß|ss)e|gasse|allee)|(?:street|road|lane|avenue|boulevard))$/u;
const STREET_FIRST = /^(?:rue|via|calle|avenida|boulevard|rua) \p{L}/u;
const COFFEES = set(
  'flat white|espresso|double espresso|cortado|americano|cappuccino|latte|oat latte|macchiato|mocha|ristretto|lungo|cold brew|long black|espresso macchiato|latte macchiato|chai latte|matcha latte',
);

const DAILY = 'a/per/each/every day/morning/evening/night/week';
const SWITCH = 'switched/moved/migrated/changed';
const OUR_SOFTWARE =
  'my/our/the app/application/backend/service/site/website/product/platform/system/api';
const BY_VALUE: readonly ByValue[] = [
  {
    slot: 'time zone',
    isValue: (said) => ZONE.test(said),
    tells: split(
      'i/we am/are on/in % | i/we work/live on/in % | i/we work/live on/in % hours/time | i/we am/are on % time/hours | i/we live in the % time zone/timezone',
    ),
    changes: split(`i/we ${SWITCH} to % | i/we ${SWITCH} to % time/hours`),
  },
  {
    slot: 'address',
    isValue: (said) => STREET.test(said) || STREET_FIRST.test(said),
    tells: split(
      'i/we live on/in/at % | my/our home/house/flat/apartment/place/address is on/in/at %',
    ),
    changes: split(
      'i/we moved/relocated to % | i/we moved from @ to % | i/we have moved/relocated to %',
    ),
  },
  {
    slot: 'coffee order',
    isValue: (said) => COFFEES.has(said),
    tells: split(
      'i order/get/take/drink % | my usual/regular/standard is % | my coffee/coffees is/are %',
    ),
    changes: split(
      `i switched/changed/moved from @ to % | i ${SWITCH} to % | my usual changed/went/moved/switched from @ to %`,
    ),
  },
  {
    slot: 'weight',
    isValue: (said) => /^\d{2,3}(?:[.,]\d)? ?(?:kg|kilos?|kilograms|lbs?|pounds)$/.test(said),
    tells: [],
    changes: split('i went/dropped from @ to % | i went up/down from @ to %'),
  },
  {
    slot: 'running distance',
    isValue: (said) => /^\d{1,3}(?:[.,]\d)? ?(?:km|k|miles|kilometers|kilometres)$/.test(said),
    tells: split(`i run % ${DAILY} | i run % | the distance i run is % | my run is %`),
    isAsSaid: true,
    changes: split(
      `i went from @ to % ${DAILY} | i increased/upped/extended/raised/cut/shortened my run from @ to % | i increased/upped/extended/raised/cut/shortened my run to %`,
    ),
  },
  {
    slot: 'cloud provider',
    isValue: (said) => slotOfTool(said) === 'cloud provider',
    tells: split(
      'we am/are on/with % | i/we host/run/deploy on/with/at % | i/we use % for hosting | my/our servers/infrastructure/infra/backend/stack run/runs/is/are on/with/at % | my/our servers/infrastructure/infra is/are hosted on/with/at/by %',
    ),
    changes: split(
      `i/we ${SWITCH} everything from @ to % | i/we ${SWITCH} over to % | i/we ${SWITCH} everything to %`,
    ),
  },
  {
    slot: 'database',
    isValue: (said) => slotOfTool(said) === 'database',
    tells: split(
      `${OUR_SOFTWARE} run/runs on % | ${OUR_SOFTWARE} use/uses % as its database | ${OUR_SOFTWARE} use/uses % for its data`,
    ),
    isAsSaid: true,
    changes: [],
  },
  {
    slot: 'editor',
    isValue: (said) => slotOfTool(said) === 'editor',
    tells: split(
      'i write/edit code in/with % | i write/edit my/the code in/with % | i code in/with %',
    ),
    isAsSaid: true,
    changes: [],
  },
  {
    slot: 'operating system',
    isValue: (said) => slotOfTool(said) === 'operating system',
    tells: split(
      'i run/use % on my laptop/computer/machine/pc | my laptop/computer/machine/pc runs % | my laptop/computer/machine/pc is on % | i run % | i am on %',
    ),
    changes: split('i installed % on my laptop/computer/machine/pc'),
  },
  {
    slot: 'operating system',
    isValue: (said) => slotOfTool(said) === 'operating system',
    tells: split('i work on %'),
    changes: [],
    isSoft: true,
    isAsSaid: true,
  },
  {
    slot: null,
    isValue: (said) => slotOfTool(said) !== null,
    tells: [],
    changes: split(`i/we ${SWITCH} to % | i/we ${SWITCH} over to %`),
  },
];
const MOST_VALUE = 4;
const isOfMorning = (said: readonly Token[]): boolean =>
  / in the mornings?\b/.test(said.map(({ word }) => word).join(' '));

/** What both are a value of: `from the cello to the piano`; null = nothing, or of two slots. */
export function slotOfBoth(old: string, fresh: string): string | null {
  const [was, is] = [old.toLowerCase(), fresh.toLowerCase()];
  const tool = slotOfTool(is);
  if (tool !== null && tool === slotOfTool(was)) return tool;
  if (isInstrument(was) && isInstrument(is)) return 'instrument';
  const both = BY_VALUE.find(({ slot, isValue }) => slot !== null && isValue(was) && isValue(is));
  return both?.slot ?? null;
}

export function byValue(given: readonly Token[], text: string): OpenFound | null {
  const plain = plainVerb(given);
  if (plain?.isEnd) return null;
  for (const tokens of plain ? [given, plain.tokens] : [given]) {
    const found = valueIn(tokens, text);
    if (found) return plain?.isChange ? { ...found, kind: 'changes' } : found;
  }
  return null;
}

/** `I'm on Windows at work`: at home it may be another one. */
function isInPart(said: readonly Token[], last: Token): boolean {
  const next = said[said.indexOf(last) + 1];
  return next !== undefined && !/^(?:instead|now|because|since|so|but|and)$/.test(next.word);
}

const IN_PART = /^(?:for|at|when|while|if)$/;

function valueIn(tokens: readonly Token[], text: string): OpenFound | null {
  for (const { slot, isValue, tells, changes, isSoft = false, isAsSaid = false } of BY_VALUE)
    for (const form of [...changes, ...tells]) {
      const found = match(tokens, stepsOf(form));
      const value = found && withoutArticle(upToJoint(upToCut(found.value, text)));
      const last = value?.at(-1);
      if (!value || !last || value.length > MOST_VALUE) continue;
      const said = text.slice(value[0]?.start, last.end);
      const name = isValue(said.toLowerCase()) ? (slot ?? slotOfTool(said)) : null;
      if (name === null) continue;
      const next = found.value[found.value.indexOf(last) + 1]?.word ?? '';
      // `I switched to helix for Rust`: all else may stay as it was.
      if (changes.includes(form) && IN_PART.test(next)) continue;
      // `I drink espresso in the morning` is of the morning.
      if (name === 'coffee order' && isOfMorning(found.value)) continue;
      return {
        name,
        kind: changes.includes(form) ? 'changes' : 'tells',
        value,
        isSoft: isSoft || isInPart(found.value, last),
        isOwn: true,
        isRestated: !isAsSaid || changes.includes(form),
        instead: null,
      };
    }
  return null;
}
