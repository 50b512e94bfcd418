/** Slots known by the value that goes: `we switched from A to B`, `I left A and joined B`. */
import { isBase } from './aspect.ts';
import { slotOfBoth } from './by-value.ts';
import * as frames from './frames.ts';
import { match, openNoun, stepsOf, type Token } from './match.ts';
import {
  bareValue,
  frameOf,
  nameOf,
  newOf,
  type OpenFound,
  upToCut,
  upToJoint,
  verbIn,
  withoutArticle,
} from './open.ts';
import { kindOf } from './values.ts';

/** `We switched from A to B`. */
export function insteadOf(tokens: readonly Token[], text: string): OpenFound | null {
  for (const [form, order] of frames.INSTEAD_FORMS) {
    const found = match(tokens, stepsOf(form));
    const end = found?.value.at(-1);
    if (!found || !end || isOfThing(form, tokens)) continue;
    // A match holds the first value; the second one stands after the words between them.
    const steps = form.split(' ');
    const between = steps.lastIndexOf('%') - steps.indexOf('%');
    const rest = tokens.slice(tokens.indexOf(end) + between);
    const made =
      order === 'old new'
        ? switchedTo(found.value, rest, text)
        : switchedTo(rest, found.value, text);
    if (!made || isReason(tokens, made, text) || isForATime(form, made)) continue;
    const own = made.isNamed ? null : saidAfter(tokens.slice(tokens.indexOf(end) + 1), text);
    return { ...made, name: own?.name ?? made.name, isRestated: own !== null || made.isNamed };
  }
  return null;
}

/** `I switched the font from A to B`: the font has changed, not what one has of A. */
const isOfThing = (form: string, tokens: readonly Token[]): boolean =>
  form.includes(' @ from ') && OWNED.has(tokens[2]?.word ?? '');
const OWNED: ReadonlySet<string> = new Set('my our the a an his her their this that'.split(' '));

/** `I left Rome for a trip`: what for, not what instead. */
const isReason = (tokens: readonly Token[], { value, instead }: OpenFound, text: string): boolean =>
  tokens.slice(0, MOST_BEFORE_LEFT).some(({ word }) => word === 'left') &&
  kindOf(instead ?? [], text) === 'name' &&
  kindOf(withoutArticle(upToCut(value, text)), text) === 'words';
const MOST_BEFORE_LEFT = 3;
/** `I gave Mia to my sister for the weekend`. */
const isForATime = (form: string, { value }: OpenFound): boolean =>
  form.endsWith(' for %') && STRETCH.test(value.at(-1)?.word ?? '');
const STRETCH =
  /^(?:moments?|whiles?|bit|hours?|days?|nights?|evenings?|mornings?|weekends?|weeks?|months?|years?|summer|winter|spring|autumn|holidays?|now|good|ever|today|tonight)$/;

/** `I cancelled Pulse, I train at Forge`: where Pulse is not known, the second clause tells. */
function saidAfter(rest: readonly Token[], text: string): Pick<OpenFound, 'name'> | null {
  const [first, ...others] = rest;
  const at = rest.findLastIndex(({ word }) => word === 'for' || word === 'as');
  const of = at === -1 || !isMine(rest[at + 1]) ? null : openNoun(wordsOf(rest.slice(at + 2)));
  if (of !== null) return { name: of };
  if (!first) return null;
  const clause = first.word === 'and' ? [{ ...first, word: 'i' }, ...others] : rest;
  if (clause[0]?.word !== 'i' && clause[0]?.word !== 'we') return null;
  return verbIn(clause) ?? frameOf(clause, text);
}
const isMine = (token: Token | undefined): boolean => token?.word === 'my' || token?.word === 'our';
const wordsOf = (tokens: readonly Token[]): readonly string[] => tokens.map(({ word }) => word);

/** `I'm no longer with Ada, I'm dating Bo`: what ends names no state, what follows does. */
export function laterOf(tokens: readonly Token[], text: string): OpenFound | null {
  const at = tokens.findLastIndex(({ word }) => word === 'i' || word === 'we');
  if (at < 2) return laterVerb(tokens, text);
  const isEnding = tokens.slice(0, at).some(({ word }) => ENDING.has(word));
  const isAfter = tokens[at - 1]?.word === 'so' || /\bnow\b/i.test(text);
  if (!isEnding && !isAfter) return null;
  const rest = tokens.slice(at);
  const found = newOf(rest, text) ?? verbIn(rest) ?? frameOf(rest, text);
  return found && { ...found, kind: 'changes', isRestated: true };
}

/** `Bought a bike and cycle to work now`. */
function laterVerb(tokens: readonly Token[], text: string): OpenFound | null {
  const and = tokens.findIndex(({ word }) => word === 'and' || word === 'so');
  const verb = tokens[and + 1];
  if (and < 2 || !verb || !isBase(verb.word) || !/\bnow\b/i.test(text)) return null;
  const who = { word: 'i', start: verb.start, end: verb.start };
  const found = frameOf([who, ...tokens.slice(and + 1)], text);
  return found && { ...found, kind: 'changes' };
}
const ENDING: ReadonlySet<string> = new Set('longer not stopped quit left sold anymore'.split(' '));

/** `I went back to A`: what is known to have that value has it still. */
export function backTo(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of frames.BACK_FORMS) {
    const found = match(tokens, stepsOf(form));
    const value = found && upToJoint(upToCut(withoutArticle(found.value), text));
    if (!value || kindOf(value, text) !== 'name') continue;
    const [name, kind] = ['', 'changes'] as const;
    return { name, kind, value, isSoft: false, isOwn: true, instead: value };
  }
  return null;
}

const MOST_OLD_WORDS = 4;
export function switchedTo(
  old: readonly Token[],
  fresh: readonly Token[],
  text: string,
): (OpenFound & { readonly isNamed: boolean }) | null {
  const both = nounOfBoth(old, fresh);
  const ofBoth = both === null ? null : openNoun([both]);
  const was = withoutArticle(isMine(old[0]) ? old.slice(1) : old).filter(
    ({ word }) => !BESIDE_OLD.has(word) && word !== both,
  );
  const said = withoutArticle(bareValue(fresh));
  const is = both === null ? said : said.slice(0, wordsOf(said).indexOf(both));
  // `I'm using Tom's now` is not what the speaker has.
  if (is.length === 0 || is.at(-1)?.word.endsWith("'s")) return null;
  if (was.length === 0 || was.length > MOST_OLD_WORDS) return null;
  if (was.some(({ word }) => PARTS.has(word))) return null;
  // `The tires of my Volvo`: a part of it.
  if (was.some(({ word }, at) => word === 'of' && isMine(was[at + 1]))) return null;
  const kinds = [kindOf(was, text), kindOf(upToCut(is, text), text)] as const;
  const noun = ofBoth ?? openNoun(wordsOf(was));
  const isNamed = ofBoth !== null;
  const ofValues = slotOfBoth(wordsOf(was).join(' '), wordsOf(upToCut(is, text)).join(' '));
  return {
    // Where nothing is known to have that value, it may be the thing itself that was replaced.
    name:
      ofBoth ?? ofValues ?? (noun === null || kinds[0] === 'name' ? '' : nameOf(noun, kinds[1])),
    isNamed,
    kind: 'changes',
    value: is,
    isSoft: false,
    isOwn: true,
    instead: isNamed ? null : was,
  };
}

/** `from the search team to the mobile team`: the noun is that of both, and no value. */
function nounOfBoth(old: readonly Token[], fresh: readonly Token[]): string | null {
  const last = old.findLast(({ word }) => !BESIDE_OLD.has(word))?.word;
  if (last === undefined || old.length < 2) return null;
  return SHARED.has(last) && wordsOf(fresh).includes(last) ? last : null;
}
/** `I dropped the kids off`. */
const PARTS: ReadonlySet<string> = new Set('and off out up down away back'.split(' '));
const SHARED: ReadonlySet<string> = new Set(
  'team plan diet project department squad tier package subscription school'.split(' '),
);
const BESIDE_OLD: ReadonlySet<string> = new Set(['anymore', 'membership', 'account']);
