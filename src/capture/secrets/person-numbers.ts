/** Numbers of cards, of bank accounts (IBAN), and US social security numbers. */

const TOKEN_CUT = /[\s"'`,;:()<>[\]{}|]+/;
/** `My order number is …` is of no card, whatever its check digit. */
const OTHER_NUMBERS =
  /^(?:order|invoice|tracking|parcel|serial|chip|ticket|customer|reference|case|booking|bestellnummer|rechnungsnummer|auftragsnummer)$/i;
const WORDS_BEFORE = 4;

export function hasPersonNumber(text: string): boolean {
  if (hasIban(text)) return true;
  const tokens = text.split(TOKEN_CUT).filter((token) => token !== '');
  let run = '';
  let start = 0;
  for (const [index, token] of [...tokens, 'end'].entries()) {
    if (/^\d{3}-\d{2}-\d{4}[.!?]?$/.test(token)) return true;
    const digits = digitsOf(token);
    if (/^\d+$/.test(digits)) {
      if (run === '') start = index;
      if (run.length < MOST_DIGITS + 1) run += digits;
      continue;
    }
    const before = tokens.slice(Math.max(0, start - WORDS_BEFORE), start);
    if (isCard(run) && !before.some((word) => OTHER_NUMBERS.test(word))) return true;
    run = '';
  }
  return false;
}

const SPOKEN: ReadonlyMap<string, string> = new Map(
  [
    'zero one two three four five six seven eight nine',
    'null eins zwei drei vier fünf sechs sieben acht neun',
  ].flatMap((words) => words.split(' ').map((word, digit) => [word, String(digit)] as const)),
);

/** `4111-1111` and `four one` in digits alone; a word that is no digit stays. */
function digitsOf(token: string): string {
  const bare = token.replaceAll(/[-.!?]/g, '');
  if (/^\d+$/.test(bare) || token.length > MOST_SPOKEN) return bare;
  const words = token.toLowerCase().split(/[-.!?]+/);
  return words.map((word) => SPOKEN.get(word) ?? word).join('');
}
/** Of a token: `four-one-one-one`, and longer. */
const MOST_SPOKEN = 120;

const MOST_DIGITS = 19;
/** First digits and lengths, as the networks publish them (ISO/IEC 7812). */
const NETWORKS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[0-9]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0|6|8|9)\d{12,17}|35\d{14}|6\d{12,18})$/;

const isCard = (digits: string): boolean => NETWORKS.test(digits) && isLuhn(digits);

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** `DE89 3704 0044 0532 0130 00`, by its check digits (ISO 13616). */
const IBAN =
  /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;
const hasIban = (text: string): boolean =>
  [...text.matchAll(IBAN)].some(([match]) => isIban(match.replaceAll(' ', '')));

function isIban(iban: string): boolean {
  if (iban.length < 15) return false;
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`;
  const rest = [...moved].reduce((left, character) => {
    const value = Number.parseInt(character, 36);
    return (left * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
  return rest === 1;
}
