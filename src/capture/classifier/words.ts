/**
 * The words of a text as the classifier of the gate sees them: words of closed classes as they are,
 * what has a form of its own (a number, a day, a name) as its kind, and of all others the stem.
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { stemOf } from '../../text/terms.ts';

export interface SeenWord {
  /** The word where it is of a closed class, its kind (`#num`), or `_` for any other. */
  readonly shape: string;
  /** Its stem, or its kind. */
  readonly stem: string;
}

/** Words of grammar, of time, and the verbs of having, doing and changing. */
const CLOSED: ReadonlySet<string> = new Set(
  (
    "i i'm i've i'd i'll my mine me myself we we're we've we'll our ours us you you're your yours he she it it's they them their his her its " +
    "this that these those there here a an the some any no not never n't don't doesn't didn't can't won't isn't aren't wasn't haven't hasn't couldn't wouldn't shouldn't " +
    'am is are was were be been being have has had do does did will would can could should may might must shall let ' +
    "let's and or but so because since if when while until till before after than then as that which who whose where what how why whether though although unless once instead " +
    'to of in on at for from by with without about into over under through between during per off up down out around via near beside above below against towards ' +
    'always usually often sometimes only just still also already now currently lately anymore again every each all both new old next last first second one two three more most less much many lot very too really quite pretty ' +
    'please thanks thank sorry yes yeah ok okay hey hi oh wow lol haha btw fyi today tomorrow yesterday tonight morning evening night week weekend month year years day days hour hours time ago soon later ' +
    'maybe perhaps probably think guess hope wish want need like love hate prefer feel know see get got go went gone going come came make made take took put use used using work works working live lives living ' +
    'move moved switched changed started stopped quit left bought sold joined became turned run runs ran called named'
  ).split(' '),
);

const DAYS: ReadonlySet<string> = new Set([
  ...WEEKDAY_NAMES.flatMap((name) => [name, `${name}s`, name.slice(0, 3)]),
  'tues',
  'wednes',
  'thurs',
]);
const MONTHS: ReadonlySet<string> = new Set(
  [...MONTH_NAMES, ...MONTH_NAMES.map((name) => name.slice(0, 3)), 'sept'].filter(
    (name) => name !== 'may' && name !== 'mar',
  ),
);

/** Read this far (UTF-16 units): a sentence is kept or declined by its beginning. */
export const READ_UNITS = 1000;
const RUN = /[\p{L}\p{M}\p{N}'_@#/.:+&-]+|[?!]/gu;
const ADDRESS =
  /https?:|^www\.|^[#~.]?\/?[\w-]+\/[\w./-]+$|\w@\w|^#[a-z]|\.(?:com|io|dev|org|net|md|ya?ml|json|ts|py|sh)$/;
const FRACTION = /^\d+\/\d+$/;
/** In this order: the first that it has the form of. */
const FORMS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['#time', /^\d{1,2}[:.]\d{2}$|^\d{1,2}(?::\d\d)?(?:am|pm)$/],
  ['#year', /^(?:19|20)\d\d$/],
  ['#ord', /^\d+(?:st|nd|rd|th)$/],
  ['#num', /^[\d.,]+(?:k|kg|km|h|min|ms|gb|mb)?$/],
];

export function wordsSeen(text: string): readonly SeenWord[] {
  const read = text.slice(0, READ_UNITS).replaceAll('’', "'");
  const seen: SeenWord[] = [];
  for (const { 0: run, index } of read.matchAll(RUN)) {
    const said = run === '?' || run === '!' ? run : withoutMarks(run);
    if (said === '') continue;
    const mark = said === '?' || said === '!';
    const kind = mark
      ? `#${said}`
      : kindOf(said, { before: read[index - 1] ?? '', isFirst: seen.length === 0 });
    if (kind !== null) seen.push({ shape: kind, stem: kind });
    else {
      const word = said.toLowerCase();
      const bare = word.replace(/'s$/, '');
      const closed = [word, bare].find((each) => CLOSED.has(each));
      seen.push({ shape: closed ?? '_', stem: stemOf(bare) });
    }
  }
  return seen;
}

/** `so...` is `so`. */
function withoutMarks(run: string): string {
  let end = run.length;
  while (end > 0 && !/[\p{L}\p{M}\p{N}]/u.test(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}

/** null = a word as others. */
function kindOf(
  said: string,
  { before, isFirst }: { readonly before: string; readonly isFirst: boolean },
): string | null {
  const word = said.toLowerCase();
  if (ADDRESS.test(word) && !FRACTION.test(word)) return '#addr';
  if (/[$€£]/.test(before)) return '#money';
  const form = FORMS.find(([, has]) => has.test(word));
  if (form) return form[0];
  if (DAYS.has(word)) return '#day';
  if (MONTHS.has(word)) return '#month';
  if (/\d/.test(word) && /[a-z]/.test(word)) return '#code';
  return !isFirst && /^\p{Lu}/u.test(said) && !/^I(?:'|$)/.test(said) ? '#name' : null;
}
