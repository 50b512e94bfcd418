/** What opens a lock or an account: `the gate opens with 4408`, `I log in with ann and Tiger99`. */
import { type Items, isSentenceEnd, wordSet } from './items.ts';
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
  items.some((_, at) => isUnlocked(items, at) || isUsed(items, at) || isColon(items, at));

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
    if (isLog) return isLogin(items, value);
    if (!isSure && !hasThing(items, at - MOST_BETWEEN, index)) return false;
    return isNumber(items, value, { least: 3 }) || (isSure && isMixed(textAt(items, value), 5));
  }
  return false;
}

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
  while (/^(?:in|the|code|ein|den|pin|numbers?|zahl)$/.test(items[value]?.said ?? '')) value += 1;
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

/** `Haustür: 4408`, `the alarm: 7730`. */
const isColon = (items: Items, at: number): boolean =>
  textAt(items, at + 1) === ':' &&
  hasThing(items, at, at + 1) &&
  !/^(?:phone|handy|office|telephone)$/.test(items[at]?.said ?? '') &&
  /^\d{4,8}$|^\d{1,2}(?:-\d{1,2}){2,3}$/.test(textAt(items, at + 2)) &&
  isNumber(items, at + 2, { least: 3 });
