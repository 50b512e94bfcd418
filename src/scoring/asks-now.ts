/**
 * Whether a question asks for the present state of something. Words of ten languages side by side:
 * no language is detected, and a word that means something else in another language is left out.
 */

/**
 * Stand alone: a letter on either side makes another word. What stands before or after a word and
 * gives it another meaning is left out beside it: `still life`, `before now`, `ocean current`.
 */
const WORDS = [
  // English
  '(?<!(?<!\\p{L})(?:before|from) )now(?! and (?:then|again))|nowadays|currently|presently',
  '(?<!(?<!\\p{L})(?:electric(?:al)?|ocean|sea|water|air|alternating|direct) )current',
  '(?<!(?<!\\p{L})(?:stand|stood|sit|sat|hold|held|keep|kept|lie|lay|so|a) )still' +
    '(?![ -](?:life|image|photo|photograph|frame|shot)s?(?!\\p{L}))',
  '(?<!(?<!\\p{L})at the )latest|newest|today|todays|anymore|these days|any more|at present',
  'at the moment|right now|most recent(?:ly)?|up[- ]to[- ]date|as we speak|by now|for now|lately',
  'at this (?:point|time|moment)|this (?:week|month|year)|as of (?:late|writing)',
  // German: `noch` is also one more, somebody else, and nor
  'jetzt|gerade(?! (?:linie|strecke|zahl|erst|mal|noch)(?!\\p{L}))|aktuell(?:e[nmrs]?)?',
  'derzeit(?:ige[nmrs]?)?|momentan|zurzeit|gegenwärtig|heute|heutzutage',
  '(?:diese|dieser) woche|diesen monat|dieses jahr|im moment|noch immer|immer noch|neueste[nmrs]?',
  '(?<!(?<!\\p{L})(?:wer|wen|wem|was|wo|wie|sonst|außerdem) |(?<!\\p{L})weder [^.!?]{1,60} )noch' +
    '(?! (?:ein(?:e[nmrs]?)?|einmal|mal|nie|niemals|mehr|vor|dazu|etwas|andere|weitere)(?!\\p{L}))',
  // French: `encore une fois` is once more, and an encore is played in English
  "maintenant|actuel(?:le)?s?|actuellement|aujourd[’']hui|toujours|en ce moment|ces jours-ci",
  'cette semaine|ce mois-ci|cette année|à présent',
  'derni(?:er|ère)s?(?! (?:fois|années?|semaines?|mois|nuit|jours?)(?!\\p{L}))',
  '(?<!(?<!\\p{L})(?:an|the|his|her|their|our|your|my|as|for) )encore(?! (?:une? |plus )| ?!)',
  // Spanish, Portuguese, Italian: `actual` follows its noun or an article; in English it does not
  'ahora|actuales|actualmente|todavía|aún|hoy|en este momento|esta semana|este (?:mes|año)',
  'sigue[sn]?(?= (?:\\p{L}+ndo|en|con|sin)(?!\\p{L}))',
  'últim[oa]s?(?! (?:vez|veces|años?|semanas?|mes(?:es)?|noche|días?)(?!\\p{L}))',
  '(?<=(?<!\\p{L})(?:el|la|lo|su|mi|tu|o) )actual',
  'actual(?= (?:de|del|da|do|en|em|para|y|e)(?!\\p{L}))',
  '(?<=(?<!\\p{L})(?:el|la|su|mi|tu|o|seu|sua|meu|minha) \\p{L}{1,30} )actual',
  'agora|atual|atuais|atualmente|hoje|ainda|adesso|attualmente|attuale|oggi|ancora',
  // Dutch
  'nu|momenteel|huidige|tegenwoordig|vandaag|nog steeds|deze week',
  // Russian
  'сейчас|теперь|текущ(?:ий|ая|ее|ие|его|ей|ую)|нынешн(?:ий|яя|ее|ие)|сегодня|до сих пор|по-прежнему',
  'последн(?:ий|яя|ее|ие|юю|его|ей)(?! (?:раз|годы?|недел[юи]|месяц[аы]?|дни)(?!\\p{L}))',
  'актуальн(?:ый|ая|ое|ые|ого|ой|ую|ых)|вс[её] ещ[её]|на этой неделе|в этом (?:месяце|году)|в данный момент',
].join('|');
const STANDS_ALONE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS})(?![\\p{L}\\p{N}])`, 'iu');
const ALL_ALONE = new RegExp(STANDS_ALONE, 'giu');
/** Chinese and Japanese write no blanks. */
const STANDS_ANYWHERE = new RegExp(
  [
    '现在|現在|目前|当前|當前|如今|最新|今天|本周|这周|這週|还在|還在|还住|還住|仍然|现任|現任|最近|まだ',
    '这个?(?:星期|礼拜|月)|這個?(?:星期|禮拜|月)|今週',
    // Not this time, from now on, this morning or so far, and no name
    '(?<![古当])今(?![度回後后朝夜晩晚早昔宵井村川西野田泉尾林岡枝]|まで|にも)',
    // Not the end of a polite verb
    '(?<![てで])いま(?![しすせ])',
  ].join('|'),
  'u',
);

/** A longer text is a pasted one, whose "now" is not the question's. */
const MOST_UNITS = 1000;

/**
 * `What is Dana's phone number`, `remind me of the door code`: one thing that is named as known, in
 * the present tense. English alone: of the other languages no questions were measured.
 */
const ASKS_OF_STATE = new RegExp(
  [
    String.raw`^\P{L}*(?:(?:so|and|hey|hi|ok|okay|please|again)\P{L}+){0,3}`,
    "(?:(?:what|who|where)(?: is|['’]s)|",
    '(?:(?:can|could|would|do) you )?(?:please )?(?:tell me|know|remember|recall|remind me)',
    '(?: again)?(?: of| about| what| who| where)?(?: is)?)',
    String.raw` (?:the|my|our|your|his|her|their|its|\p{L}+['’]s?) `,
  ].join(''),
  'iu',
);
/** Of the past, of one among several, of a day, or of what seldom changes. */
const NO_STATE = new RegExp(
  `(?<!\\p{L})(?:${[
    'was|were|did|had|been|used to|before|first|second|third|previous(?:ly)?|former(?:ly)?',
    'original(?:ly)?|earlier|once|ever|one of|ago|last (?:week|month|year|night|time)',
    'names?|called|reasons?|purpose|intentions?|goals?|meaning|reminder|favou?rite|birthday',
  ].join('|')})(?!\\p{L})|\\d{4}|\\b\\d{1,2} \\p{Lu}\\p{L}{2}`,
  'iu',
);

/**
 * `Who is on call`, `which van do we take`: any question in the present tense that names nobody.
 * What is asked of somebody by name seldom changes, and a talk is full of such questions.
 */
const ASKS_AT_PRESENT = new RegExp(
  [
    String.raw`^\P{L}*(?:[^?]{1,80}[.,;:!-]\P{L}+)?(?:`,
    'who|what|where|when|which|how (?:much|many|long|often|old|far|big)|',
    'how(?= (?:is|are|does|do) )|is|are|does|do|has|have|am',
    ")(?:['’](?:s|re))? ",
  ].join(''),
  'iu',
);
const NAMES_SOMEBODY = /[\p{L}\p{N}] (?!I(?!\p{L}))\p{Lu}/u;
/** What is asked of a taste, a reason, a plan, or of what was done. */
const NO_CHANGE = new RegExp(
  `^\\P{L}*how do |(?<!\\p{L})(?:${[
    'why|kinds?|types?|would|could|might|should|will|likely|feels?|enjoys?|likes?|love[sd]?',
    'describes?|think|both|hobb(?:y|ies)|symboli[sz]es?|represents?|according|in common',
    'going to|plan(?:s|ning)?|\\p{L}{2,}ed|made|bought|gone|taken|won|met|seen|given|kept|about',
    'how (?:has|have)|what (?:\\p{L}+ )?(?:has|have)|helps?',
  ].join('|')})(?!\\p{L})`,
  'iu',
);

export interface Presence {
  readonly ofTurns: number;
  /** A fact stands by itself, so that any present tense would lift what is merely late. */
  readonly ofFacts: number;
}
const both = (share: number): Presence => ({ ofTurns: share, ofFacts: share });

/**
 * 0..1: how much a question asks for the present state of something. `byTense` is what a present
 * tense counts against a word for now.
 */
export function presence(query: string, byTense: number): Presence {
  if (query.length > MOST_UNITS) return both(0);
  if (STANDS_ALONE.test(query) || STANDS_ANYWHERE.test(query)) return both(1);
  if (NO_STATE.test(query)) return both(0);
  if (ASKS_OF_STATE.test(query)) return both(byTense);
  const isAtPresent =
    ASKS_AT_PRESENT.test(query) && !NAMES_SOMEBODY.test(query) && !NO_CHANGE.test(query);
  return { ofTurns: isAtPresent ? byTense : 0, ofFacts: 0 };
}

/** What it asks about: the question without what asks for the present. */
export function askedOfNow(query: string): string {
  const about = query.replace(ASKS_OF_STATE, ' ').replace(ALL_ALONE, ' ');
  return /\p{L}/u.test(about) ? about : query;
}
