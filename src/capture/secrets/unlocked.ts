/** What opens a lock or an account: `the gate opens with 4408`, `I log in with ann and Tiger99`. */
import { type Items, isClauseEnd, isSentenceEnd, wordSet } from './items.ts';
import { isMixed, isNumber } from './value-looks.ts';

const THINGS =
  /^(?:door|gate|shed|safe|lock|padlock|lockbox|box|keybox|garage|alarm|keypad|phone|laptop|locker|cellar|building|entrance|barrier|suitcase|tablet|ipad|iphone|mac|computer|pc|vault|cabinet|house|flat|apartment|office|\p{L}*(?:tür|tor|tresor|schloss|kasten|garage|alarmanlage|handy|keller|spind|koffer|safe|laptop|schranke))s?$/u;
const UNLOCKS = wordSet(
  'unlock unlocks unlocked unlocking disarm disarms disarmed disarming deactivate deactivated entsperre entsperrt entsperren entsperrst entschärfe',
);
const OPENS = wordSet(
  'open opens opened opening arm arms armed activate activated turn turns turned off öffne öffnet öffnen geht aufmachen aufschließen schließt',
);
const LOGS = /^(?:log|logs|logged|logging|sign|signs|signed|logge|einloggen|melde|anmelden|login)$/;
const WITH = wordSet('with using via mit by through über per');
/** Between `with` and the value. */
const FILLERS = wordSet(
  'the code pin password number passcode typing entering dialing dem der code',
);
const MOST_BETWEEN = 9;

export const unlocksWith = (items: Items): boolean =>
  items.some(
    (_, at) =>
      isUnlocked(items, at) ||
      isUsed(items, at) ||
      isColon(items, at) ||
      isCodeOfThing(items, at) ||
      isEntry(items, at) ||
      isOpener(items, at),
  );

function isUnlocked(items: Items, at: number): boolean {
  const said = items[at]?.said ?? '';
  const isLog = LOGS.test(said);
  if (!isLog && !UNLOCKS.has(said) && !OPENS.has(said)) return false;
  const isSure = UNLOCKS.has(said);
  for (let index = at + 1; index <= at + MOST_BETWEEN; index += 1) {
    const item = items[index];
    if (item === undefined || isSentenceEnd(item)) return false;
    const isGrouped = /^(?:at|to|auf)$/.test(item.said) && isGroups(items, index + 1);
    if (!isGrouped && !WITH.has(item.said)) continue;
    let value = index + 1;
    while (FILLERS.has(items[value]?.said ?? '')) value += 1;
    if (isLog) return isLogin(items, value) || isAsUser(items, at, index);
    if (!isSure && !hasThing(items, at - MOST_BETWEEN, index)) return false;
    if (isNumber(items, value, { least: 3 })) return true;
    // `My laptop opens with Kaktus9!`; what opens files with a program names them between.
    const isNext = index === at + 1 || (index === at + 2 && ADVERBS.test(textAt(items, at + 1)));
    const isWord = isSure || (isNext && isEnd(items, value + 1));
    return isWord && isMixed(textAt(items, value), 5);
  }
  return false;
}

const ADVERBS = /^(?:up|only|just|now|on)$/;

const textAt = (items: Items, at: number): string => items[at]?.text ?? '';
/** `22-9-1`, `12, 34, 56`: no time of day. */
const isGroups = (items: Items, at: number): boolean =>
  /^\d{1,2}-\d{1,2}/.test(textAt(items, at)) ||
  (/^\d{1,2}$/.test(textAt(items, at)) &&
    /^[,-]$/.test(textAt(items, at + 1)) &&
    isNumber(items, at, { least: 4 }));

const hasThing = (items: Items, from: number, to: number): boolean =>
  items
    .slice(Math.max(0, from), to)
    .some(({ said }) => said.split('-').some((part) => THINGS.test(part)));

/** `log in as ann with Tiger99` */
const isAsUser = (items: Items, at: number, joint: number): boolean =>
  items.slice(at + 1, joint).some(({ said }) => said === 'as') &&
  isMixed(textAt(items, joint + 1), 5);

/** A number, or a user and a password. */
function isLogin(items: Items, at: number): boolean {
  if (isNumber(items, at, { least: 4 })) return true;
  for (let index = at; index < at + 5; index += 1) {
    const item = items[index];
    if (item === undefined || isSentenceEnd(item)) return false;
    const isAfterUser = /^(?:and|und|\/|:|\+|,|password|passwort|pw|pin)$/.test(
      items[index - 1]?.said ?? '',
    );
    if (isMixed(item.text, 5) && (isAfterUser || textAt(items, index + 1) === '!')) return true;
  }
  return false;
}

const USES =
  /^(?:use|uses|using|type|types|enter|press|dial|punch|key|tap|tippe|tippen|benutze|nutze|verwende|gib|nehme)$/;
const ACCESS = /^(?:unlock|open|log|login|sign|disarm|access|enter|entsperren|öffnen|einloggen)$/;
const ACCOUNTS = /^(?:accounts?|logins?|sites?|websites?|everything|konten|accounts?|alles)$/;

/** `I always type 258013 to unlock`, `I use Tiger99! for all my accounts`. */
function isUsed(items: Items, at: number): boolean {
  if (!USES.test(items[at]?.said ?? '')) return false;
  let value = at + 1;
  while (
    /^(?:in|the|code|ein|den|pin|numbers?|zahl|my|our|birthday)$/.test(items[value]?.said ?? '')
  )
    value += 1;
  const text = textAt(items, value);
  const isWord = isMixed(text, 5);
  if (!isWord && !isNumber(items, value, { least: 4 })) return false;
  const isMarked = textAt(items, value + 1) === '!' && items[value + 2]?.isMark === false;
  for (let index = value + 1; index <= value + MOST_BETWEEN; index += 1) {
    const item = items[index];
    if (item === undefined || (isSentenceEnd(item) && !(isMarked && index === value + 1)))
      return false;
    const before = items[index - 1]?.said ?? '';
    if (/^(?:to|zum)$/.test(before) && ACCESS.test(item.said)) return true;
    if (isWord && isMoment(items, index)) return true;
    if (/^(?:get|into)$/.test(before) && /^(?:in|into)$/.test(item.said)) return true;
    if (isWord && ACCOUNTS.test(item.said)) return true;
    if (isWord && isMarked && /^(?:everywhere|überall)$/.test(item.said)) return true;
    if (
      !isWord &&
      THINGS.test(item.said) &&
      /^(?:at|for|into|on)$/.test(items[value + 1]?.said ?? '')
    )
      return true;
  }
  return false;
}

/** `when you log in` */
const isMoment = (items: Items, at: number): boolean =>
  ACCESS.test(textAt(items, at)) && /^(?:when|whenever|wenn)$/.test(items[at - 2]?.said ?? '');

const WITH_CODE =
  /^(?:door|gate|garage|locker|voicemail|mailbox|keypad|shed|barrier|padlock|cellar|attic|tür|tor|haustür|spind)$/;
/** `My gate is 5512#`, `the locker is 22-14-33`, and no more: `12-14 Mill Lane` is a place. */
function isCodeOfThing(items: Items, at: number): boolean {
  if (!WITH_CODE.test(items[at]?.said ?? '')) return false;
  if (!/^(?:is|ist|=|'s)$/.test(items[at + 1]?.said ?? '')) return false;
  const value = /^(?:now|jetzt|still|noch)$/.test(items[at + 2]?.said ?? '') ? at + 3 : at + 2;
  return isEnd(items, value + 1) && isCode(textAt(items, value));
}
const isCode = (text: string): boolean =>
  /^\d{1,2}(?:-\d{1,2}){2,3}$|^\d{3,8}#$|^#?\d{4,8}$/.test(text);
const isEnd = (items: Items, at: number): boolean =>
  isClauseEnd(items[at]) || /^(?:now|and|but|jetzt|und)$/.test(items[at]?.said ?? '');

/** `You get into my flat with 1379`, `you get in with Tiger99`. */
function isEntry(items: Items, at: number): boolean {
  const isIn = /^(?:in|into)$/.test(items[at + 1]?.said ?? '');
  const isGet = isIn && /^(?:get|gets|got)$/.test(items[at]?.said ?? '');
  if (!isGet && !/^enters?$/.test(items[at]?.said ?? '')) return false;
  for (let index = at + 1; index <= at + MOST_BETWEEN; index += 1) {
    const item = items[index];
    if (item === undefined || isSentenceEnd(item)) return false;
    if (!WITH.has(item.said)) continue;
    let value = index + 1;
    while (FILLERS.has(items[value]?.said ?? '')) value += 1;
    if (!isEnd(items, value + 1)) return false;
    if (isGet && isMixed(textAt(items, value), 6)) return true;
    return hasThing(items, at, index) && isNumber(items, value, { least: 4 });
  }
  return false;
}

/** `1379 opens my phone`, `Tiger99 is what opens the zip`, `and Tiger99 gets you in`. */
function isOpener(items: Items, at: number): boolean {
  if (!/^(?:opens|unlocks|gets|disarms)$/.test(items[at]?.said ?? '')) return false;
  const isWhat = items[at - 1]?.said === 'what' && items[at - 2]?.said === 'is';
  const value = isWhat ? at - 3 : at - 1;
  const before = items[value - 1];
  if (!isClauseEnd(before) && !/^(?:that|and|but|so|,|:)$/.test(before?.said ?? '')) return false;
  if (items[at]?.said === 'gets' && items[at + 2]?.said !== 'in') return false;
  const text = textAt(items, value);
  return isMixed(text, 6) || (/^\d{4,8}#?$/.test(text) && !/^(?:19|20)\d\d$/.test(text));
}

/** `Haustür: 4408`, `the alarm: 7730`. */
const isColon = (items: Items, at: number): boolean =>
  textAt(items, at + 1) === ':' &&
  hasThing(items, at, at + 1) &&
  !/^(?:phone|handy|office|telephone)$/.test(items[at]?.said ?? '') &&
  /^\d{4,8}$|^\d{1,2}(?:-\d{1,2}){2,3}$/.test(textAt(items, at + 2)) &&
  isNumber(items, at + 2, { least: 3 });
