/** Work that is done: with its day an artifact of the tools of its trade, else a status. */
import { PLAIN_MONTH_NAMES } from '../../text/calendar.ts';
import { begins, hasAny, type Sentence } from '../sentences/sentence.ts';
import * as rules from './gate-rules.ts';

const STANDING = ['always', 'never', 'from now on', 'deadline', 'freeze', 'until'];

export const isDoneWork = (sentence: Sentence): boolean =>
  !hasAny(sentence, STANDING) &&
  ((begins(sentence, rules.STATUS_STARTS) && namesWork(sentence)) ||
    movesFile(sentence) ||
    isArtifact(sentence));
/** `I moved the file to src`: where a file of the work went, its repository tells. */
export const movesFile = ({ plain }: Pick<Sentence, 'plain'>): boolean => MOVED.test(plain);
const MOVED =
  /^ (?:i|we)(?:'ve| have)? (?:(?:just|also|now|already|then|finally) )?(?:moved|renamed|copied|dragged|extracted|split|placed) (?:the|all|all the|this|that|these|those|some|both|an?) (?:[\p{L}\d-]+ ){0,3}?(?:files?|folders?|director(?:y|ies)|functions?|components?|modules?|scripts?|imports?|constants?|helpers?|hooks?|methods?|code|variables?|configs?|endpoints?|tests) (?:out )?(?:to|into|in|from|under|out of) (?!(?:next|tomorrow|\p{L}+day|\d))/u;

const VERSION = /\bv\d{1,4}(?:\.\d{1,5}){0,3}\b|#\d{2,6}\b|\b[A-Z]{2,8}-\d{1,6}\b/;
const namesWork = (sentence: Sentence): boolean =>
  hasAny(sentence, rules.WORK_WORDS) || VERSION.test(sentence.text);

const DONE =
  'merged(?! with| (?:our|my) )|deployed|shipped(?! out| off)|reverted|hotfixed|rolled out|rolled back|rebased|backported';
/** `We shipped X on date Y`, whatever X is: it lives in the log and the tracker. */
const SHIPPED = new RegExp(
  `^ (?:(?:i|we|they|he|she|the team|[a-z]+)(?:'ve| have| has)? (?:just |finally |also )?)?(?:${DONE}) `,
);
const WAS_DONE = new RegExp(
  `(?: (?:was|were|got|is now|has been|have been) (?:${DONE}|released|tagged|published|closed)| went (?:out|live)) `,
);
/** `I closed ticket 88`, `we released 2.0`: what the tracker or the log knows by its number. */
const CLOSED =
  /^(?:I|We|They|He|She|The team)(?:['’]ve| have| has)? (?:just |finally |also )?(?:closed|opened|reopened|resolved|fixed|merged|reviewed|released|tagged|published|cut|filed) (?:the |our |version |release )?(?:#\d+|(?:tickets?|issues?|bugs?|PRs?|MRs?|pull requests?|merge requests?|tasks?|stor(?:y|ies)) #?\d+|v?\d{1,3}(?:\.\d{1,4}){1,3})(?=[.!]*$| (?:in|on|last|yesterday|this|today|to|for|with|from|late|early)\b)/iu;

/**
 * `The incident on March 3 was caused by a full disk`: what caused one incident is in its report.
 * A lesson says what to do, or that it is one.
 */
const INCIDENT =
  /^ (?:the|our|last|yesterday's|an?) (?:[a-z0-9']+ ){0,3}(?:incident|outage|downtime|crash|failure|regression|bug|breakage) .{0,60}(?:was|were) (?:caused by|due to|because of|triggered by|from|down to) /;

/** What happened on a day, of work: sure, whatever else is guessed of it. */
export const isArtifact = (sentence: Sentence): boolean =>
  !hasAny(sentence, STANDING) &&
  isOnDay(sentence) &&
  (SHIPPED.test(sentence.plain) ||
    CLOSED.test(sentence.text) ||
    INCIDENT.test(sentence.plain) ||
    (WAS_DONE.test(sentence.plain) && namesWork(sentence)) ||
    (begins(sentence, rules.STATUS_STARTS) && VERSION.test(sentence.text)));

/** A year alone is of a life or a company: `deployed to Kosovo in 1999`. */
const isOnDay = (sentence: Sentence): boolean =>
  isDatedWork({ ...sentence, words: sentence.words.filter((word) => !/^\d{4}$/.test(word)) });

const MONTHS: ReadonlySet<string> = new Set(PLAIN_MONTH_NAMES);
export const isDatedWork = (sentence: Sentence): boolean =>
  sentence.words.some(
    (word) => MONTHS.has(word) || /^\d{4}$|^\d{1,2}(?:st|nd|rd|th)$/.test(word),
  ) ||
  /\b(?:\d{1,2} (?:of )?may|may \d{1,2}|(?:in|last|this|late|early|mid) (?:may|march))\b/.test(
    sentence.plain,
  ) ||
  hasAny(sentence, [
    'yesterday',
    'last week',
    'last month',
    'last night',
    'this morning',
    'today',
  ]) ||
  ON_WEEKDAY.test(sentence.plain);
const ON_WEEKDAY =
  / (?:on|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day (?!mornings|afternoons|evenings|nights)/;
