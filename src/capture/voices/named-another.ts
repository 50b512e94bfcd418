/**
 * Sentences that name who writes, where that is not the author: `This is Tom, Ada's brother`,
 * `Ada's account, but I'm Ben`, `I'm Ben, not Ada`, `Ben speaking, Ada is in the shower`.
 */
import { isPerson } from './people.ts';

const HELLO =
  '(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Hh]allo|[Oo]k|[Oo]kay|[Ss]o|[Ss]orry|[Nn]ow|[Aa]ctually|[Nn]o|[Oo]h)[,!.]? (?:there[,!]? )?){0,3}';
const IS = "(?:[Tt]his is|[Ii]t['’]s|[Ii]t is|I['’]m|I am|[Mm]y name is)";
const NAME = "(\\p{Lu}[\\p{L}\\p{M}'’-]{1,30}(?: \\p{Lu}[\\p{L}\\p{M}-]{0,30}){0,2})";
/** `Ada says hi`, `Ada is asleep`: nobody says so of themselves. */
const OF_AUTHOR =
  /^(?:(?:hi|hey|ok|sorry)[,!]? )?([\p{L}\p{M}-]{2,30}) (?:says? (?:hi|hello|hey)|sends (?:her|his|their)|is (?:asleep|sleeping|away|not here|in the (?:shower|bath|kitchen|car|garden)|next to me|driving right now)|can['’]?t (?:type|write|talk|come|answer)|(?:asked|told|wants|wanted|allowed) me|(?:gave|lent) me)(?![\p{L}])/iu;
/** The one that is named is somebody else, by what stands behind. */
const NAMED: readonly RegExp[] = [
  new RegExp(`^${HELLO}${NAME} here(?:[,;:!]| [-–—]| and )`, 'u'),
  new RegExp(`^${HELLO}${NAME} (?:is )?(?:speaking|typing|writing)(?: here| now)?[,;:!]`, 'u'),
  new RegExp(
    `^${HELLO}(?:[Ss]peaking|[Ww]riting|[Tt]yping|[Pp]osting|[Aa]nswering|[Rr]eplying) (?:here )?as ${NAME}(?=[,.:;]|$)`,
    'u',
  ),
  new RegExp(`^${HELLO}(?:[Oo]n|[Ff]rom) behalf of [^,]{2,40}, ${NAME}[.!]?$`, 'u'),
];
/** `…, but I'm Ben`, beside the author or what is theirs. */
const BUT_NAMED = new RegExp(
  `(?:\\bbut|;|,| [-–—]) (?:${IS}|[Ii]t['’]s me,?) ${NAME}(?=[.!,;]|$| (?:here|speaking|using|writing|typing|now))`,
  'u',
);
const ACCOUNT =
  /\b(?:account|phone|laptop|computer|tablet|ipad|keyboard|chat|profile|login|logged in)\b/i;
/** `This is Tom, Ada's brother`, `I'm Tom (her son)`, `Tom here, a friend of hers` */
const WITH_KIN = new RegExp(
  `^${HELLO}(?:${IS} )?${NAME}(?: here)?,? ?\\(?(?:the )?([\\p{L}\\p{M}'’-]{2,32}) ([\\p{L}-]{2,20})(?=[.!,;)]|$| (?:here|speaking|writing|typing|and|using|on|from|of))`,
  'u',
);
const FRIEND_OF = new RegExp(
  `^${HELLO}(?:${IS} )?${NAME}(?: here)?, (?:an?|the) (?:[\\p{L}-]{2,20} )?([\\p{L}-]{2,20}) of (?:hers|his|theirs|(\\p{Lu}[\\p{L}\\p{M}-]{1,30}))`,
  'u',
);
/** `Ada's brother here` */
const KIN_HERE =
  /^(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Oo]k|[Ss]orry)[,!]? )?(?:([\p{L}\p{M}-]{2,30})['’]s|[Hh]er|[Hh]is|[Tt]heir) ([\p{Ll}-]{2,20})(?: \p{Lu}[\p{L}\p{M}-]{1,30})? (?:here|speaking|writing|typing)(?=[.,!;:]|$| [-–—])/u;
/** `I'm not Ada`, `I'm Ben, not Ada`, `this isn't Ada` */
const NOT_AUTHOR =
  /(?:\b(?:i['’]?m|i am|this is|it['’]?s|it is) not (?:actually |really )?|\b(?:this|it) isn['’]t (?:actually |really )?|\b(?:i['’]?m|i am|this is|it['’]?s) [^,.!?]{2,40},? (?:and )?not |you['’]?re not (?:talking|speaking|chatting) (?:to|with) |^(?:hi, |hey, |ok, )?not )([\p{L}\p{M}-]{2,30})(?=[.,!;:)]|$| (?:here|speaking|writing|typing|today|but|who|anymore))/iu;

/** `Ada's account, but …`: nobody speaks so of what is their own. */
const OWN_THING =
  /^(?:(?:hi|hey|ok|sorry)[,!]? )?(?:(?:on|from|using|this is|it['’]s) )?([\p{L}\p{M}-]{2,30})['’]s (?:account|phone|laptop|computer|tablet|ipad|keyboard|chat|profile|login)(?: here)?[.,;!]?$/iu;

interface Who {
  readonly isAuthor: (name: string) => boolean;
  readonly isOther: (name: string | undefined) => boolean;
}

/** Of an author whose name is known. */
export function namesAnother(text: string, { isAuthor, isOther }: Who): boolean {
  if (NAMED.some((form) => isOther(form.exec(text)?.[1]))) return true;
  if ([NOT_AUTHOR, OWN_THING, OF_AUTHOR].some((form) => isAuthor(form.exec(text)?.[1] ?? '')))
    return true;
  const isBut = isOther(BUT_NAMED.exec(text)?.[1]);
  if (isBut && (ACCOUNT.test(text) || isAuthorNamed(text, isAuthor))) return true;
  const [, kinOf = '', kin = ''] = KIN_HERE.exec(text) ?? [];
  if (isPerson(kin) && (kinOf === '' || isAuthor(kinOf))) return true;
  const [, friend, relation = '', owner] = FRIEND_OF.exec(text) ?? [];
  if (isOther(friend) && isPerson(relation) && (owner === undefined || isAuthor(owner)))
    return true;
  const [, named, whose = '', relative = ''] = WITH_KIN.exec(text) ?? [];
  return isOther(named) && isPerson(relative) && isOfAuthor(whose, isAuthor);
}

const isOfAuthor = (whose: string, isAuthor: Who['isAuthor']): boolean =>
  /^(?:her|his|their)$/i.test(whose) ||
  (/['’]s$/.test(whose) && isAuthor(whose.replace(/['’]s$/, '')));

const isAuthorNamed = (text: string, isAuthor: Who['isAuthor']): boolean =>
  (text.match(/\p{Lu}[\p{L}\p{M}-]{1,30}/gu) ?? []).some((name) => isAuthor(name));
