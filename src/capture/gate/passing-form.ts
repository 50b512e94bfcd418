/** Forms of a sentence that holds for a time: how it says so, by its verb. In lower case. */
import { isPast } from '../sentences/past-form.ts';

/** What is done again and again ends with no day. */
const HABIT =
  /\b(?:every|each|usually|always|never|often|sometimes|normally|generally|typically|tend to|most (?:days|weeks|nights|mornings|evenings)|daily|weekly|monthly|yearly|on weekdays|on weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)|per (?:day|week|month|year)|(?:hours?|days?|times|once|twice) a (?:day|week|month|year)|whenever|birthday|anniversary|b-?day)\b/;
export const isHabit = (text: string): boolean => HABIT.test(text);

/** Told as over, or as it has been until now. */
const PAST =
  /^(?:.{0,40} )?(?:was|were|wasn't|weren't|had|did|didn't|been|stayed|lived|worked|spent|went|came|used to|left|ran|ended|lasted|took|moved|studied|met|saw|booked|bought|got)\b|\b(?:i|we|he|she|they|you) [a-z]{2,12}ed\b/;

export const isToldAsOver = (text: string): boolean => PAST.test(text);

/** `I am`, `my parents are`, `we will`, `I can't`. */
const IS =
  /\b(?:i'm|im|i am|we're|we are|they're|she's|he's|it's|am|is|are|isn't|aren't|i'll|we'll|he'll|she'll|they'll|will|won't|going to|gonna|can't|cannot|cant|i (?:only |just |also )?(?:work|cover|teach|stay|sleep|commute|share)|can only|not allowed|have to|has to|must|need to|has|have|don't have|has no)\b/;
/** Of a chat, where the speaker goes without saying. */
const TERSE =
  /^(?:(?:currently|still|now|just|gonna be|will be|be|back|only|prob|probably) )?(?:wfh|ooo|afk|away|off|out|in (?!the next|a |an |\d)|on (?!it|that|this)|at|covering|subbing|staying|working|visiting|travelling|traveling|house-?sitting|pet-?sitting|dog-?sitting|cat-?sitting|looking after|babysitting|remote|no (?=[a-z]+ )|busy|closed|unavailable|solo|alone|sharing|borrowing|renting|living|sleeping|crashing|kids|using|training|fasting|stuck|grounded|based|camping|vacation|holiday|leave)\b/;
const isTerse = (text: string): boolean => TERSE.test(text) && !text.split(' ').some(isPast);

/** `I live in Rome until 2028`; from October until May it may be each year. */
const GOES_ON = new RegExp(
  '^(?:(?:and|so|but|also|now|currently),? )?(?:(?:i|we) (?:now |still |also |currently |only |just |temporarily )?' +
    '(?:live|reside|rent|lease|sublet|lodge|use|drive|ride|study|attend|teach|serve|lead|manage|run|head|chair|hold|take|pay|get|receive|need|wear|eat|avoid|fast|own|keep|lend|borrow|foster|host|train|volunteer|freelance|help|represent|look after|work|stay|share)' +
    "|(?:my|our) [a-z'’ -]{2,40}? (?:runs|lasts|goes on|continues|stays|lives|works|holds)) " +
    '(?!.*\\b(?:from|in (?:spring|summer|autumn|fall|winter))\\b.* (?:until|till?|through)).*\\b(?:until|till?|through|thru) ',
);
/** Nobody says of `it opens` how long it goes on. */
export const isHeldNow = (text: string): boolean =>
  !PAST.test(text) && (IS.test(text) || isTerse(text) || GOES_ON.test(text)) && !OPENING.test(text);
const OPENING = /\bopen (?:from|until|till?|thru|through)\b/;

/** `Six till two` is a shift, `as of this month` when something began. */
export const hasNoEnd = (plain: string): boolean => NO_END.test(plain);
const HOUR =
  '(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: am| pm)?';
const NO_END = new RegExp(
  ` ${HOUR} (?:until|till|til) ${HOUR} | (?:as of|since|starting) this (?:week|month|quarter|year) `,
);

/** A range of months or weekdays can come every year and week: of a person, it comes now. */
export const isOfPerson = (text: string): boolean => PERSON.test(text) || isTerse(text);
const PERSON = /\b(?:i'm|im|i am|we're|we are|i'll|we'll|he's|she's|they're)\b/;

/** From one day to another, in the place of which it comes. */
export const isMoved = (text: string): boolean => MOVED.test(text);
const MOVED =
  /\b(?:moves?|moved|gone|went|changed?|switched|shifted|pushed|postponed|rescheduled|delayed|put (?:off|back)|brought forward)\b/;

/** Something of minutes and hours: `I'm in a meeting`, `brb`; not `I run for 30 minutes`. */
const BRIEF =
  /\b(?:i'm|im|i am|we're|we are|i'll|we'll|he's|she's|they're|gonna|i have to|i need to|gotta|my phone will|[a-z]+ (?:is|are) (?:in|on|at|out|off|away|busy|down|still|[a-z]+ing))\b|^(?:brb|back|afk|driving|leaving|out|off|away|busy|in (?:an?|the|my|another)|on (?:an?|the|another)|at the|be|be there|there|home|reachable|lunch|gone|stuck|offline|unavailable)\b/;
/** `I have a call in ten minutes`, `my train leaves in half an hour`. */
const DUE =
  /\b(?:i|we)(?:'ve got| have(?: got)?| got) (?:an?|another|my|our|the) (?:(?!that\b|which\b)[a-z'-]+ ){1,3}in\b|\b(?:my|our|the|his|her|their) (?:[a-z'-]+ ){1,3}(?:leaves?|starts?|arrives?|departs?|comes?|begins?|boards?|lands?|is (?:due|here|up|ready)|ends?) (?:again )?in\b/;
const ABLE =
  /\b(?:can|able to|takes?|fastest|record|best|timer|open|closed?|hours|shifts?|earlies|lates|deadline|must)\b/;
export const isBrief = (text: string): boolean =>
  ((BRIEF.test(text) && !PAST.test(text)) || DUE.test(text)) && !ABLE.test(text);

const ONCE =
  'exams?|finals|midterms?|test|flight|interview|appointment|appt|dentist|doctor|checkup|check-up|scan|mri|x-?ray|surgery|operation|wedding|funeral|recital|premiere|launch|defen[cs]e|viva|hearing|trial|graduation|ceremony|moving day|due date|audition|reunion|christening|baptism';
/** With a date they come once; with a weekday they may come every week. */
const MAYBE_ONCE =
  'trip|concert|gig|show|party|dinner|match|game|race|marathon|tournament|demo|demo day|presentation|talk|conference|move|delivery|viewing|inspection|visit|submission|performance|competition|offsite|play|quiz|tests|train|bus|ferry|raid|fair|catalogue';
const things = (nouns: string): RegExp =>
  new RegExp(
    "^(?:(?:and|so|but) )?(?:(?:i|we) have (?:got )?|i've (?:got )?|we've (?:got )?|got |(?:i|we) give )?" +
      `(?:(?!(?:i|we|he|she|they|with|at|for|to|of|on|you|your|good|great|nice|see|meet|meeting|happy|if|when|about|after|before|last|let's|passed|failed) |[a-z'-]+ed )[a-z'’-]+ ){0,4}?(?:${nouns})` +
      "(?:'s)?(?: (?:to|with|at|in|of|by) [^,.;]{1,40}?)?(?: (?:is|are|will be))?(?: (?:due|booked|scheduled|set(?: down)?|fixed))?(?: for)?[,:]?$",
  );
const ONE_DAY = things(`${ONCE}|${MAYBE_ONCE}`);
const SURELY_ONCE = things(ONCE);

/** `I'm flying to Oslo` on a day; what begins that day goes on after it. */
const PLAN =
  /^(?:i'm|im|i am|we're|we are|i'll be|we'll be) (?:in|at)\b|^(?:(?:i'm|im|i am|we're|we are|i'll be|we'll be) )?(?:flying|driving|travelling|traveling|having|hosting|getting married|presenting|performing|picking|meeting|seeing|visiting|moving|speaking|graduating|off|away|out|busy)\b|^(?:i|we) fly\b/;
const BEGINS =
  /\b(?:start|starts|starting|begin|beginning|join|joining|switch|switching|quit|quitting|leave|leaving|retire|retiring|become|becoming|moving (?:to|in|into|out|back)|changing|from|since)\b/;
const isPlan = (text: string): boolean =>
  PLAN.test(text) && !BEGINS.test(text) && !text.split(' ').some(isPast);

/** Whether what stands before a day is a thing that comes once: `my flight to Oslo is`. */
export const isOneOff = (before: string): boolean =>
  (ONE_DAY.test(before) && !PAST.test(before)) || isPlan(before);
/** Even if the day is but a weekday. */
export const isSurelyOnce = (before: string): boolean =>
  SURELY_ONCE.test(before) && !PAST.test(before);

/** Kept though it has no verb: `exam tomorrow`, `in lisbon for 3 weeks`. */
export const isTerseState = (said: string, kind: 'span' | 'event'): boolean => {
  const text = said.toLowerCase();
  if (/\b(?:you|your|u|ur|maybe|might|if|that|this one)\b|\?/.test(text)) return false;
  return kind === 'event' || isTerse(text);
};
