/**
 * `Delete that`, `actually no, ignore that`: these words may be of a thing as well (`the comment in
 * line 4 is wrong. Delete that.`), so they take back only what their speaker just said of
 * themselves, where it names nothing that could be deleted. English.
 */
const LEAD =
  "(?:(?:and|but|so|ok|okay|oh|ah|hey|no|nope|nah|wait|sorry|oops|actually|hm|hmm|uh|um|well|please|pls|just|then|now|on second thoughts?|never ?mind|nvm|i changed my mind|you can|can you|could you|would you|you should|i want you to|i'd like you to|i'd rather you) )*";
const WHAT =
  '(?:this|that|it|those|these|all (?:of )?(?:this|that|it)|what i (?:just )?(?:said|wrote|told you)|the (?:last|previous) (?:bit|part|thing|sentence|statement|one)|that (?:last )?(?:bit|part|sentence|statement|one))';
const AFTER =
  '(?: (?:again|please|pls|thanks|thank you|now|then|completely|actually|ok|okay|sorry|from (?:your )?(?:memory|memories|notes|records?)|for good|right away))* $';
const STRUCK = new RegExp(
  `^ ${LEAD}(?:delete|erase|ignore|disregard|remove|unremember|wipe) ${WHAT}${AFTER}`,
  'u',
);
/** `Scratch that` opens a correction where more follows. */
const SCRATCHED = new RegExp(`^ ${LEAD}(?:scratch|strike) ${WHAT}${AFTER}`, 'u');

/** `plain`: words between single spaces. */
export const strikesOut = (plain: string, { isLast }: { readonly isLast: boolean }): boolean =>
  STRUCK.test(plain) || (isLast && SCRATCHED.test(plain));

const OF_SPEAKER =
  /^\W{0,3}(?:(?:and|but|so|also|well|btw|by the way|fyi|ok|okay|hi|hello|hey|yes|please|remember(?: that)?|note that),? )*(?:i|i['’](?:m|ve|d|ll)|my|we|we['’](?:re|ve|d|ll)|our|call me)\b/iu;
const THINGS =
  /\b(?:files?|folders?|lines?|columns?|rows?|cells?|branch(?:es)?|comments?|paragraphs?|messages?|mails?|e-?mails?|drafts?|meetings?|events?|appointments?|entr(?:y|ies)|tasks?|to-?dos?|reminders?|calendars?|lists?|notes?|images?|photos?|pictures?|screenshots?|tabs?|buttons?|functions?|tests?|code|typos?|warnings?|errors?|logs?|posts?|accounts?|tables?|documents?|docs?|pages?|sections?|sentences?|words?|text|versions?|records?|repos?|bookings?|orders?|subscriptions?|apps?|playlists?|songs?|videos?|tickets?|issues?|pull requests?|servers?|databases?)\b/iu;

/** Whether a statement is of the speaker, and of nothing that could be deleted itself. */
export const mayBeStruck = (text: string): boolean =>
  OF_SPEAKER.test(text.slice(0, MOST_READ)) && !THINGS.test(text.slice(0, MOST_READ));
const MOST_READ = 400;
