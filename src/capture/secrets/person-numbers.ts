/** Numbers of cards, and US social security numbers. */

const TOKEN_CUT = /[\s"'`,;:()<>[\]{}|]+/;
/** `My order number is …` is of no card, whatever its check digit. */
const OTHER_NUMBERS =
  /^(?:order|invoice|tracking|parcel|serial|chip|ticket|customer|reference|case|booking|bestellnummer|rechnungsnummer|auftragsnummer)$/i;
const WORDS_BEFORE = 4;

export function hasPersonNumber(text: string): boolean {
  const tokens = text.split(TOKEN_CUT).filter((token) => token !== '');
  let run = '';
  let start = 0;
  for (const [index, token] of [...tokens, 'end'].entries()) {
    if (/^\d{3}-\d{2}-\d{4}[.!?]?$/.test(token)) return true;
    const digits = token.replaceAll(/[-.!?]/g, '');
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
