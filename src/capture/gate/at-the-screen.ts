/**
 * What goes on at a screen or a device while it is told to who helps: `I'm on the invoices page`,
 * `my router is blinking`, `I clicked export and nothing happened`. Over with the talk. What the
 * speaker has, uses and is for long stands in the same forms: the nouns and verbs tell them apart.
 */
import type { Sentence } from '../sentences/sentence.ts';

const words = (text: string): string => text.split(' ').join('|');

/** Parts of a program that one is on, looks at, finds and presses. */
const PART = `(?:${words(
  'page pages screen tab menu submenu section view panel sidebar form dialog popup window homepage button buttons link links icon icons checkbox dropdown field fields toggle banner message prompt step basket cart checkout inbox folder login signup wizard option options setting settings',
)})`;
/** `In the settings`, but not `in the marketing section of our firm`. */
const OF_MORE = '(?: (?:of|in|on|at|under|from|for) (?:the|your|this|my) [a-z -]{2,40})?';
const HEDGE = '(?:just |still |now |already |currently |only |even |also |really |actually )*';
const DETERMINED = '(?:the|your|this|that|my|a|an|any|every|no|some|two|three)';
const I_AM = `(?:i'm|i am|we're|we are) ${HEDGE}`;
const I_DID = `(?:i|we|i've|we've|i have|we have) ${HEDGE}`;

/** Where in a program they are. */
const PLACE = new RegExp(
  `^ ${I_AM}(?:logged (?:in|out|into|off)|signed (?:in|out)|(?:on|in|at|inside|under|looking at|viewing|seeing|reading|checking|opening|filling in|following|scrolling|stuck on|stuck at|stuck in) (?:${DETERMINED} )?(?:[a-z-]+ ){0,2}${PART}(?=[ ,])${OF_MORE})`,
);

/** Said of an act that is under way: with an object that is at hand. */
const ACT =
  'clicking|tapping|pressing|typing|entering|uploading|downloading|reloading|refreshing|restarting|rebooting|scrolling|holding|plugging|unplugging|resetting|reinstalling|updating|installing|tracking|adding|submitting|pasting|selecting|checking|running|reading|opening';
const AT_HAND = `(?:${words(
  'app page file files update form code button key cable box plug modem router device phone screen test scan log logs order parcel item label manual guide serial card password pin link email report export import attachment image photo spam folder item the',
)})`;
const DOING = new RegExp(
  `^ ${I_AM}(?:(?:${ACT}) (?:the|your|this|that|my|it) ?(?:[a-z-]+ ){0,2}(?:${AT_HAND}|it)(?=[ ,])|standing (?:next to|in front of|at|by) (?:the|my) |on hold(?= )|waiting (?:at the|in the (?:queue|line)|for (?:the|a|an|your|my) (?:[a-z]+ )?(?:code|email|mail|message|confirmation|text|sms|reply|answer|callback|courier|agent|page|link|driver)(?=[ ,])))`,
);
/** `I'm trying to log in`: to learn and to quit take longer. */
const TRYING = new RegExp(
  `^ ${I_AM}trying to (?:log|sign|click|open|find|cancel|change|reset|download|upload|export|import|pay|order|submit|send|connect|activate|update|install|delete|enter|reach|see|load|print|scan|access) `,
);
const GETTING = new RegExp(
  `^ ${I_AM}(?:getting|seeing|receiving) (?:the |an? |this |two |a \\S+ |\\d+ )?(?:[a-z]+ ){0,2}(?:errors?|messages?|warnings?|charges|404|500|403|screens?|box|pop-?ups?|nothing|codes?)(?=[ ,])`,
);

/** Done with a hand at a screen; what else the verb is said of needs a thing of theirs. */
const DID = new RegExp(
  `^ ${I_DID}(?:(?:scrolled|refreshed|reloaded|rebooted|unplugged|double clicked|right clicked|restarted|reinstalled|relaunched|logged (?:in|out|back)|signed (?:in|out|back)|switched (?:it|the (?:router|modem|device|phone|box|tv)) (?:off|on)|turned (?:it|the (?:router|modem|device|phone|box|tv)) (?:off|on)|tried (?:resetting|restarting|reinstalling|clicking|logging|again|it|that|everything|another browser|three browsers|two browsers|different browsers|several browsers))(?= )|(?:clicked|tapped|pressed|hit|selected|typed|entered|submitted|pasted|uploaded|opened|checked|cleared|chose|sent you|attached) (?:(?:on|in) )?(?:(?:the|your|this|that|my|it|a|an) )*(?:[a-z-]+ ){0,2}?(?:${PART}|${words(
    'save send submit export import enter next cancel ok refresh it code password pin number address email cable box cache cookies app receipt screenshot file document voucher coupon photo attachment icon spam size colour color log ticket case',
  )})(?=[ ,]))`,
);
/** Whatever was done, it led to nothing. */
const IN_VAIN =
  /(?<! until) (?:and|but|then) (?:now )?(?:nothing (?:happens|happened|changed|changes|works|worked|came)|(?:it|the (?:app|page|screen|form|site)) (?:crashed|crashes|froze|freezes|cleared|closed|spins|hangs|failed|fails|didn't work|doesn't work|won't work|still (?:doesn't|won't|says|shows))|(?:i )?(?:got|get) (?:an?|the|this|that) (?:[a-z]+ )?(?:error|message|warning|404|403|500))(?= )/;

const MISSING = new RegExp(
  `^ (?:i|we) (?:can't|cannot|can not|couldn't|don't|do not|didn't) ${HEDGE}(?:find|see|open|access|click|reach|load|locate|get|have|submit|select|press) (?:to |any |the |your |that |this |a |an )?(?:[a-z-]+ ){0,2}(?:${PART}|attachment|attachments|notification|notifications|download|code|confirmation|error)(?=[ ,])`,
);
const SEES = new RegExp(
  `^ (?:i|we) (?:only |just |still |can |now )*(?:see (?:the|an?|only|just|no|two|three|this|your)?|(?:have|have got|got) (?:the|this|that|your|an)) ?(?:(?!new )[a-z-]+ ){0,2}?(?:error|errors|${PART}|404|403|500|code|invoice|label|manual|receipt)(?: [a-z]+)? ?(?:here|open|in front of me|on (?:my|the) screen|to hand|,| )`,
);
const HOLDS =
  /^ (?:i|we|i've|we've) (?:have |got |have got )?(?:the|my|your|this) (?:[a-z-]+ ){1,3}(?:open|in front of me|to hand|on (?:my|the) screen) /;

/** Things that break down before one's eyes. */
const DEVICE = `(?:${words(
  'screen display cursor mouse keyboard trackpad router modem wifi internet connection network signal app browser page dashboard website site camera microphone mic speaker tv television printer scanner phone tablet laptop computer pc console headset sim line call calls battery light lights download upload import export report chart sync account login',
)})`;
/** What is under way between people and a firm. */
const DEAL = `(?:${words(
  'order parcel package delivery shipment refund payment transfer transaction card pin password voucher coupon code link session request ticket basket cart inbox invoice courier driver item subscription',
)})`;
const FAILS = `(?:${words(
  'frozen blank black stuck jammed unresponsive blinking flashing beeping spinning loading freezing crashing restarting rebooting buffering disconnecting dropping lagging ringing failing locked down offline unavailable gone recognised recognized responding working declined rejected refused blocked pending delayed late lost damaged missing cancelled canceled empty full delivered weak red orange green disabled suspended invalid hanging plugged connected charging',
)})`;
const STATE = new RegExp(
  `^ (?:my|our|the) (?:[a-z-]+ ){0,2}?(?:${DEVICE}|${DEAL}) (?:(?:has|have|had) (?:been |just |already |now )*(?:frozen|crashed|stopped|disappeared|gone|failed|died|dropped)|(?:is|are|was|were|isn't|aren't|wasn't|seems|looks|goes|went|stays) (?:just |still |now |not |all |completely |totally |suddenly |always |being |already |again |very |so )*(?:${FAILS})(?=[ ,])|keeps? [a-z]+ing(?= )|(?:won't|doesn't|didn't|can't|hasn't|haven't|hasn't been|isn't|just|still|suddenly|shows?|says?|displays?) (?!(?:like|want|need|support|cost|allow|include|come)\\b)[a-z]+(?= )|(?:crashed|crashes|froze|freezes|stopped|failed|disappeared|dropped|died|hangs|hung|spins|blinks|beeps|loads|timed out) ?)`,
);

/** A passport and a card expire for good. */
const EXPIRED =
  /^ (?:my|our|the) (?:[a-z-]+ ){0,2}?(?:session|link|code|token|password|voucher|coupon|basket|cart|request) (?:(?:has |is |just |already )*expired|timed out) $/;

const FORMS: readonly RegExp[] = [
  PLACE,
  DOING,
  TRYING,
  GETTING,
  DID,
  IN_VAIN,
  MISSING,
  SEES,
  HOLDS,
  STATE,
  EXPIRED,
];
/** A habit, a span of time and what follows from it are told for more than the moment. */
const LASTING =
  / (?:every|each|until|till|this week|this month|all week|for now|always|usually|normally|often|whenever|never|since|for (?:\d+|two|three|four|five|six|several|many|a few|over|about|more) (?:weeks?|months?|years?)|years|months|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekly|monthly|daily|in (?:january|february|march|april|june|july|august|september|october|november|december)|because of my|my own|by default|so (?:i|i'm|i've|we|we're|we've|now)) /;

export const isAtTheScreen = ({ plain }: Pick<Sentence, 'plain'>): boolean => {
  const said = plain.length > MOST_CHARS ? plain.slice(0, MOST_CHARS) : plain;
  return FORMS.some((form) => form.test(said)) && !LASTING.test(said);
};
/** No such sentence is longer. */
const MOST_CHARS = 300;
