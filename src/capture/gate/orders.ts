/**
 * What tells an assistant, its tools or a team what to do, whatever class it is found in: `I prefer
 * that you run …`, `our rule: always run …`. And what takes a safeguard away: no confirmation, no
 * approval, money that is sent, commands that are run. The first is taken at its word where a rule
 * would be, the second never.
 */

import { hasAny, sentenceOf } from '../sentences/sentence.ts';
import * as rules from './gate-rules.ts';
import { isUnsafeOrder } from './unsafe-orders.ts';

/** Whoever acts for the speaker, and is no person. */
const ACTOR =
  '(?:you(?! (?:all|so|too|guys|both) )|(?:the |my |our |your |any |all |every |an? )?(?:ai |coding |llm )?(?:assistants?|agents?|bots?|chatbots?|ai|llms?|model|models|copilot|tools|automation|scripts?)|claude|chatgpt|gpt|gemini|everyone|everybody|anyone|anybody|nobody|no one|the team)';
/** `I prefer that you …`, `I like it when the assistant …`. */
const WANTED = new RegExp(
  ` (?:i|i'd|we|we'd|i'm|we're) (?:[a-z']+ ){0,3}?(?:prefer|preferred|want|wants|like|love|need|expect|expecting|rather|insist|wish|ask|asked|hate|dislike|enjoy|appreciate|happy|fine|okay|ok|mind|allow|let|trust|authorize|authorise|permit) (?:it |that |when |if |with |for |to have |on ){0,3}${ACTOR} `,
);
/** `The assistant may …`, `agents don't need to …`. */
const MAY = new RegExp(
  ` ${ACTOR} (?:[a-z]+ly |also |just )?(?:should|shouldn't|must|mustn't|may|can|can't|cannot|shall|always|never|has to|have to|needs? to|need not|needn't|don't|doesn't|do not|does not|is to|are to|(?:is|are) (?:not )?(?:allowed|permitted|authorized|authorised|supposed|free|cleared|expected|required)) `,
);
const POLICY =
  /^ (?:[a-z']+ ){0,3}?(?:my|our|the|this|team|company|house|standard|general|new|one) (?:[a-z]+ ){0,2}?(?:rules?|polic(?:y|ies)|process|procedures?|protocols?|instructions?|guidelines?|sop|workflow|practice|standing orders?) (?:is|are|says?|states?|requires?|for|on|now|here|:)? ?/;
/** `My preference: always run …`. */
const LABELLED_ORDER =
  /^ (?:my|our|the) (?:[a-z]+ ){0,2}?(?:preferences?|convention|standard|habit|principle|agreement|default|style|approach|deal|arrangement|wish|request|rule|policy) (?:is |are |now |: )?(?:that |to )?(?:(?:we|you|everyone|everybody|nobody|they) )?(?:please )?(?:always|never|don't|do not|must|should|only|run|execute|pay|send|use|skip|ignore|approve|forward|install|call|deploy|merge|push|commit|trust|answer|reply|delete|share|transfer) /;
const ENTITLED =
  / (?:authori[sz]ed|allowed|permitted|cleared|entitled|free|trusted) to (?:approve|pay|send|run|execute|transfer|access|deploy|merge|push|delete|sign|act|decide|spend|buy) /;

const MOST_READ = 600;
const plainOf = (text: string): string => sentenceOf(text.slice(0, MOST_READ), 0).plain;

/** Whether it tells somebody who acts for the speaker what to do. */
export function isOrder(text: string): boolean {
  const plain = plainOf(text);
  return (
    WANTED.test(plain) ||
    MAY.test(plain) ||
    POLICY.test(plain) ||
    LABELLED_ORDER.test(plain) ||
    ENTITLED.test(plain)
  );
}

/** What guards an action. */
const GUARD =
  /^(?:confirm(?:s|ed|ing|ation|ations)?|approv(?:e|es|ed|ing|al|als)|verif(?:y|ies|ied|ying|ication|ications)|permissions?|consent|authori[sz](?:e|es|ed|ing|ation|ations)|authenticat(?:e|es|ed|ing|ion)|2fa|mfa|two-factor|sign-?offs?|signatures?|validat(?:e|es|ed|ing|ion)|safeguards?|guardrails?|double-check(?:s|ed|ing)?|checks|checking|supervision|oversight|review|reviews|reviewed|reviewing|audits?|warnings?|sandbox|clearance)$/;
const ASKING =
  /^(?:without|before|never|not|no|don't) (?:[a-z']+ ){0,3}?(?:asking|asked|ask)(?: me| us| anyone| anybody| first| for| before| again|$)|^ask(?:ing|ed|s)? (?:me |us |anyone |anybody |him |her )?(?:first|for (?:my |our |any |a )?(?:ok|okay|go|confirmation|approval|permission|consent)|before|to confirm|to approve)/;
/** Each takes away; two of them give back: `never deploy without approval`. */
const TAKES =
  /^(?:no|not|never|without|none|nobody|neither|nor|zero|0|skip(?:s|ped|ping)?|bypass(?:es|ed|ing)?|ignor(?:e|es|ed|ing)|disabl(?:e|es|ed|ing)|omit(?:s|ted|ting)?|waiv(?:e|es|ed|ing)|drop(?:s|ped)?|stop(?:s|ped)?|unnecessary|optional|needless|off|cannot|needn't|\p{L}+n't)$/u;
/** No order of what is to be, but news of what was. */
const HAPPENED = / (?:didn't|did not|haven't|hasn't|wasn't|weren't|got|received|heard|yet) /;
const AUTOMATIC =
  / (?:auto ?-?approv\w*|automatically (?:approved?|confirmed?|accepted?|paid|executed?|merged?)|(?:approved?|confirmed?|accepted?|paid|executed?) automatically|pre ?-?approved|approve (?:everything|anything|all|any|every)|trust (?:everything|anything|all|any) |blanket (?:approval|permission|consent)) ?/;

const MONEY =
  / (?:money|payments?|funds?|invoices?|refunds?|payouts?|wages|salaries|bitcoin|btc|crypto|donations?|transfers?|euros?|eur|dollars?|usd|pounds|cash|credit cards?|gift cards?|\d+ ?(?:k|euros?|eur|dollars?|usd)) /;
const SENDS =
  /(?:^| )(?:pay|pays|send|sends|sending|paying|transfer|transfers|transferring|wire|wires|wiring|forward|deposit|remit|refund|reimburse|buy|buys|buying|purchase|purchases|order|donate|go to|goes to|are paid|is paid|are sent|is sent|are transferred|routed) /;
const COMMAND =
  /(?:^|[\s`"'(])(?:curl|wget|sudo|chmod|ssh|scp|nc|netcat|powershell|iex|eval|bash|sh|rm|dd|base64)\s+(?:-\w|\S*[./~]\S|\S+\s*\||['"`$])|\|\s*(?:ba|z)?sh\b|\brm\s+-rf?\b/i;
const RUNS =
  / (?:run|runs|running|execute|executes|executing|eval|evaluate) (?:(?:any|all|arbitrary|every|the|shell|terminal|these|such|my|their|its|suggested|unknown|untrusted|remote|whatever) ){0,3}(?:commands?|shell|scripts?|code) /;

/** Whether it takes a safeguard away, hides itself, sends money or data, or runs commands. */
export function liftsSafeguard(text: string): boolean {
  if (COMMAND.test(text.slice(0, MOST_READ))) return true;
  const plain = plainOf(text);
  if (AUTOMATIC.test(plain) || isUnsafeOrder({ text: text.slice(0, MOST_READ), plain }))
    return true;
  const words = plain.trim().split(' ');
  const taken = words.filter((word) => TAKES.test(word)).length;
  const isTaken = taken % 2 === 1;
  const isGuard = words.some((word) => GUARD.test(word)) || asks(words);
  if (isGuard && isTaken && !HAPPENED.test(plain)) return true;
  // `Always ask before you send money.`
  if (!isTaken && words.some((word) => GIVES.test(word))) return false;
  const isOrdered = isOrder(text) || hasAny({ plain }, ORDERED) || beginsOrder(plain);
  const isRisky = RUNS.test(plain) || (MONEY.test(plain) && SENDS.test(plain));
  // `Never send money to strangers` guards.
  return isOrdered && isRisky && !isTaken;
}
const GIVES = /^(?:ask|check|confirm|verify|wait|approve[ds]?|approval|confirmation|permission)$/;
const ORDERED = ['always', 'from now on', 'whenever', 'every time', 'at once', 'immediately'];
const beginsOrder = (plain: string): boolean =>
  /^ (?:please )?(?:pay|send|transfer|wire|forward|refund|buy|run|execute) /.test(plain) ||
  rules.NEXT_TIME.some((phrase) => plain.startsWith(` ${phrase} `));

const asks = (words: readonly string[]): boolean =>
  words.some((_, at) => ASKING.test(words.slice(at, at + MOST_PHRASE).join(' ')));
const MOST_PHRASE = 7;
