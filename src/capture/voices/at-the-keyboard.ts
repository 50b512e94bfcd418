/**
 * Who sits at the keyboard of a speaker: `This is Bo, I borrowed Ada's phone`, `my daughter takes
 * over now`, `I'm typing for my dad`. From there on `I` is somebody else, turn after turn, until
 * the speaker says that they are back.
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { isCountry } from '../slots/countries.ts';
import { ofAuthor } from './letters.ts';
import { isNameAlone } from './name-lines.ts';
import { namesAnother } from './named-another.ts';
import { isPerson } from './people.ts';

const LEAD =
  '(?:(?:hi|hello|hey|hallo|ok|okay|so|and|now|well|alright|right|sorry|fyi|btw|by the way|actually|also|but) )*';
const HELLO =
  '(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Hh]allo|[Oo]k|[Oo]kay|[Ss]o|[Ss]orry|[Nn]ow|[Aa]ctually)[,!.]? ){0,3}';
const GREETS = '(?:[Hh]i|[Hh]ello|[Hh]ey|[Hh]allo)[,!]? (?:there[,!]? |all[,!]? )?';
const IS = "(?:[Tt]his is|[Ii]t['’]s|[Ii]t is|I['’]m|I am)";
const NAME = "(\\p{Lu}[\\p{L}\\p{M}'’-]{1,30}(?: \\p{Lu}[\\p{L}\\p{M}'’-]{0,30}){0,2})";
const NAMED: readonly RegExp[] = [
  // `Now it's Bo speaking.`, `This is Bo here`; `I'm Bo` has nothing that another had before.
  new RegExp(
    `^${HELLO}(?:[Tt]his is|[Ii]t['’]s|[Ii]t is)(?: now)? ${NAME}(?: now)? (?:here|speaking|typing|writing|talking)(?: now)?(?=$|[.!,;:])`,
    'u',
  ),
  new RegExp(`^${HELLO}${NAME} (?:is )?(?:speaking|typing|writing) (?:now|here)[.!]?$`, 'u'),
  new RegExp(`^${GREETS}(?:[Tt]his is|[Ii]t['’]s) ${NAME}[.!]?$`, 'u'),
];
/** By itself, where a turn begins: `This is Ben.`; what is shown (`This is Java.`) is no person. */
const BARE = new RegExp(`^(?:[Oo]k(?:ay)?,? |[Nn]ow,? )?[Tt]his is(?: now)? ${NAME}[.!]?$`, 'u');
const isPersonName = (name: string): boolean => {
  const said = name.toLowerCase();
  if (/[\d']|^\p{Lu}{2,}$/u.test(name) || TIMES.has(said) || isCountry(said)) return false;
  return !name.split(' ').some((word) => THINGS.has(word.toLowerCase()));
};
const TIMES: ReadonlySet<string> = new Set([...MONTH_NAMES, ...WEEKDAY_NAMES]);
/** What people show an assistant with a capital. */
const THINGS: ReadonlySet<string> = new Set(
  'english german french spanish italian portuguese dutch polish russian japanese chinese korean turkish swedish danish norwegian finnish czech greek arabic hebrew hindi latin python java javascript typescript rust ruby swift kotlin haskell docker kubernetes linux windows ubuntu android google amazon microsoft apple facebook spotify netflix berlin london paris rome vienna zurich madrid lisbon tokyo york amsterdam munich hamburg barcelona chicago boston dublin prague earth mars sparta christmas easter halloween part chapter section step day version exercise question task option example'.split(
    ' ',
  ),
);
const DEVICE =
  '(?:(?:\\p{L}+ )?(?:phone|account|laptop|computer|pc|tablet|ipad|iphone|keyboard|chat|chats|profile|login|device|chatgpt|assistant))';
/** `I borrowed her phone`, `using Ada's account`, `on my mum's laptop` */
const ON_DEVICE = new RegExp(
  ` (?:borrow(?:ed|ing)?|us(?:e|ing)|on|from|with|have|grabbed|took|got|stole|at|through|via) ([\\p{L}\\p{M}-]+(?:'s)?(?: [\\p{L}-]+'s)?) ${DEVICE} `,
  'u',
);
const INTRODUCED = new RegExp(
  `^${HELLO}(?:${IS}(?: now)? )?${NAME}(?: here)?(?:[,;.]| and| from)`,
  'u',
);
/** `It's Ada's son`, `this is her son speaking` */
const KIN_OF = new RegExp(
  `^ ${LEAD}(?:it's|it is|this is|i'm|i am) (?:now )?([\\p{L}\\p{M}-]+)(?:'s|s') ([\\p{L}-]+) `,
  'u',
);
const KIN_HERE = new RegExp(
  `^ ${LEAD}(?:it's|it is|this is|i'm|i am)(?: now)? (?:his|her|their) ([\\p{L}-]+) (?:here|speaking|typing|writing|using|on (?:his|her|their)) `,
  'u',
);
const WHO = "((?:my|our) (?:\\p{L}+ ){0,1}?[\\p{L}-]+|\\p{L}[\\p{L}'-]+)";
const BEHIND =
  '(?:now|here|for a (?:bit|while|minute|moment|second)|from here|from now on|again|today)';
/** Whoever it is types from then on. */
const HANDS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}${WHO} (?:is |will be |is now |'s |will |now )*(?:taking over|takes over|take over|took over|typing|at the keyboard|on the keyboard)(?: (?:the|this|my) (?:chat|keyboard|phone|conversation|talk|typing|account)| ${BEHIND})* $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}${WHO} (?:wants|would like|is going|will|is about|wanted)(?: to)? (?:talk|chat|speak|type|write|say hi|say hello|ask)(?: (?:to|with) you| you (?:something|a question|a few questions)| something)?(?: ${BEHIND})+ $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i'm |i am |i'll |i will |let me )(?:now |just )?(?:hand(?:ing)?|pass(?:ing)?|giv(?:e|ing)) (?:you |this |it |the (?:phone|keyboard|chat|laptop|tablet) |my phone |over )+(?:over )?to ${WHO}(?: ${BEHIND})* $`,
    'u',
  ),
  new RegExp(`^ ${LEAD}handing (?:you |this |it )?over to ${WHO}(?: ${BEHIND})* $`, 'u'),
];
/** For whom; what follows is in that one's name. */
const FOR: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:i'm |i am )?(?:just |now |only |here |actually )*(?:typing|writing|texting|chatting|speaking|talking|filling (?:this|it) (?:in|out)|answering|entering this)(?: this| these| it| here| to you)* (?:for|on behalf of|in the name of) ${WHO} (?=$|(?:who|because|as|since|cause|he|she|they|he's|she's|they're|his|her|now|here|today|so|and) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}${WHO} (?:has |just |have )*(?:asked|wants|told|wanted|asks|needs|begged) me to (?:type|write|enter|send|ask|tell|post|fill)(?: \\p{L}+){0,4}? for (?:her|him|them) $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}${WHO} (?:is |'s )?(?:dictating|dictates|telling me what to (?:type|write))(?: (?:this|it|to me|now|and i(?:'m| am)? typ(?:e|ing)|i typ(?:e|ing)))* $`,
    'u',
  ),
];
const MAY_TAKE =
  /phone|account|laptop|computer|\bpc\b|tablet|ipad|keyboard|chat|profile|login|device|typing|speaking|writing|talk|texting|\bwrite|\btype|\bhere\b|taking over|take(?:s)? over|took over|hand|pass|giv|dictat|filling|answering|['’]s\b|this is|for (?:her|him|them)|\bnot\b|isn['’]t|\bbut\b|\b(?:her|his|their)\b|hers|theirs|\bme\b|says|asleep|sleeping|away|shower|bath|can['’]?t|\bas\b/i;

/** Of an id or a role no name is known: a name that is said may be theirs. */
const isKnownName = (author: string | null): boolean =>
  author !== null &&
  !/[\d_@]/.test(author) &&
  !/^(?:the )?(?:user|human|me|you|customer|guest|client|person)$/i.test(author.trim());

/** Whether somebody else than the author speaks from there on. */
export function takesKeyboard({ text, plain, start }: Sentence, author: string | null): boolean {
  if (text.length > MOST_READ || text.endsWith('?') || !MAY_TAKE.test(text)) return false;
  const isKnown = isKnownName(author);
  const isAuthor = ofAuthor(author);
  const isOther = (name: string | undefined): boolean =>
    isKnown && name !== undefined && isNameAlone(name) && !isAuthor(name);
  if (NAMED.some((form) => isOther(form.exec(text)?.[1]))) return true;
  const bare = start === 0 ? BARE.exec(text)?.[1] : undefined;
  if (bare !== undefined && isOther(bare) && isPersonName(bare)) return true;
  if (isOnDevice(plain, isKnown && isAuthor, isOther(INTRODUCED.exec(text)?.[1]))) return true;
  const [, owner = '', kin = ''] = KIN_OF.exec(plain) ?? [];
  if (isKnown && isPerson(kin) && isAuthor(owner)) return true;
  if (isPerson(KIN_HERE.exec(plain)?.[1] ?? '')) return true;
  if (isKnown && namesAnother(text, { isAuthor, isOther })) return true;
  const isSomebody = (who = ''): boolean => {
    if (who === '') return false;
    if (/^(?:my|our) /.test(who)) return isPerson(who.slice(who.lastIndexOf(' ') + 1));
    const isWritten = text.includes(who.charAt(0).toUpperCase() + who.slice(1));
    return isWritten && isOther(who.charAt(0).toUpperCase() + who.slice(1));
  };
  const isForName = / (?:typing|on behalf of|in the name of) | me to /.test(plain);
  return (
    HANDS.some((form) => isSomebody(form.exec(plain)?.[1])) ||
    FOR.some((form) => {
      const who = form.exec(plain)?.[1];
      // `I'm writing for Vogue`: of a name alone, it may be whom one works for.
      return isSomebody(who) && (isForName || /^(?:my|our) /.test(who ?? ''));
    })
  );
}
const MOST_READ = 200;

/** Of the author's, or of whoever was said to be no author: `my wife's laptop` is lent. */
function isOnDevice(
  plain: string,
  isAuthor: false | ((name: string) => boolean),
  isNamedOther: boolean,
): boolean {
  const owner = ON_DEVICE.exec(plain)?.[1];
  if (owner === undefined || /^(?:my|our)$/.test(owner)) return false;
  const bare = owner.replace(/'s$/, '');
  if (isAuthor !== false && owner !== bare && isAuthor(bare)) return true;
  return isNamedOther && (owner !== bare || /^(?:his|her|their)$/.test(owner));
}

const BACK: readonly RegExp[] = [
  new RegExp(`^ ${LEAD}(?:it's |it is |this is )?(?:me|myself) again(?: now| here)? $`, 'u'),
  new RegExp(
    `^ ${LEAD}(?:i'm|i am) back (?:at|on|with) (?:my|the) ${DEVICE}(?: now| again)? $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i|i've|i have) (?:got|have|took|taken)? ?(?:my|the) ${DEVICE} back(?: now| again)? $`,
    'u',
  ),
];
const NAMED_BACK = new RegExp(
  `^${HELLO}(?:(?:[Tt]his is|[Ii]t['’]s|[Ii]t is|I['’]m)(?: now)? )?${NAME}(?: is)?(?: (?:again|back|here|speaking|now))*[.!,]?(?: again| here)?[.!]?$`,
  'u',
);
const SAYS_NAME = /\b(?:this is|it['’]s|it is|again|back|here|speaking|me)\b/i;

/** Whether it says that the author is at the keyboard again. */
export function isBackAtKeyboard(sentence: Sentence, author: string | null): boolean {
  const { text, plain } = sentence;
  if (text.length > MOST_BACK || !SAYS_NAME.test(text)) return false;
  if (BACK.some((form) => form.test(plain))) return true;
  const name = NAMED_BACK.exec(text)?.[1];
  return name !== undefined && isKnownName(author) && ofAuthor(author)(name);
}
const MOST_BACK = 80;

/** Whether the sentence may say either: asked of the head of a turn before it is cut. */
export const mayTellWho = (head: string): boolean => MAY_TAKE.test(head) || SAYS_NAME.test(head);
