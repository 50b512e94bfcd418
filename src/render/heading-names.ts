/** What a reader takes a heading for, without what decorates it. All of it takes linear time. */
import { PLAIN_TARGETS, type RenderVersion } from '../model/render-version.ts';
import { withoutMarkup, withoutPlainMarkup } from './heading-markup.ts';
import { codedSigns, codedSigns13 } from './heading-signs.ts';
import { withoutPlainTargets, withoutTargets } from './heading-targets.ts';

/** Signs that show a text otherwise and leave it the same. */
const EMPHASIS_13 = /[\\*~`\p{Cf}]+/gu;
const EMPHASIS = /[\\*~`\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** No name of a layer begins or ends so; numbers, pictures and quotes stand around it. */
const BEFORE_NAME = /^(?:[^\p{L}\p{N}]|\d{1,9}[.)])+/u;
const BEHIND_NAME = /[^\p{L}\p{N}]/u;
/** Longer than any name with what may stand around it; what is longer is no name. */
export const LONGEST_SHOWN = 400;

export type IsName = (text: string) => boolean;

/** Whether a reader may take a text for one of the names. */
export function isNameOf(layerNames: readonly string[], version: RenderVersion): IsName {
  const names = new Set(layerNames.map(bareName13));
  const isName13: IsName = (text) => names.has(bareName13(text));
  if (version <= PLAIN_TARGETS) return isName13;
  return (text) =>
    isName13(text) || (DECORATES.test(text) && bareNames(text).some((name) => names.has(name)));
}

/** What is read otherwise than in version 13. */
const DECORATES = /[&<[]|\p{Default_Ignorable_Code_Point}/u;

const bareName13 = (text: string): string =>
  nameIn(codedSigns13(withoutPlainTargets(withoutPlainMarkup(text))).replace(EMPHASIS_13, ''));

/** Ends a heading, whatever opened it. */
const HEADING_TAG = /<\/?h[1-6][\s/>]/i;

/** A picture shows itself, and where there is none the words that stand for it. */
function bareNames(text: string): readonly string[] {
  const end = text.search(HEADING_TAG);
  const shown = (end < 0 ? [text] : [text, text.slice(0, end)]).map(withoutMarkup);
  return shown.flatMap((words) =>
    (['words', 'nothing'] as const).map((picture) =>
      nameIn(codedSigns(withoutTargets(words, picture)).replace(EMPHASIS, '')),
    ),
  );
}

function nameIn(plain: string): string {
  const shown = plain.replace(BEFORE_NAME, '').trimEnd();
  if (shown.length > LONGEST_SHOWN) return '';
  const name = [
    ...shown
      .replace(/\{[^{}]*\}$/, '')
      .normalize('NFKC')
      .toLowerCase(),
  ];
  while (BEHIND_NAME.test(name.at(-1) ?? '')) name.pop();
  return name.join('');
}
