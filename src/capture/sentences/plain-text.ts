/**
 * Text as a reader sees it: without characters that have no width, in plain letters. `pаssword`
 * with a Cyrillic letter is read as the word that it looks like.
 */

/** Cyrillic and Greek letters that look like Latin ones, and those. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    'аa вb еe ёe ѕs іi їi јj кk мm нh оo рp сc тt уy хx һh ԁd ԛq ԝw ӏl ' +
    'АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԜW ' +
    'αa εe ιi κk νv οo ρp τt υu χx ϲc ' +
    'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'
  )
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const ASCII = /^[\x00-\x7f]*$/;

export function plainText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}|\p{Variation_Selector}|\u034f/gu, '')
    .replaceAll(/[‐‑‒−]/g, '-')
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟«»″]/g, '"')
    .replaceAll(/[\p{L}\p{M}]+/gu, latinWord);
}

/** A word of another script stays as it is. */
function latinWord(word: string): string {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) return word;
  const latin = [...word].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
  return /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(latin) ? word : latin;
}
