/**
 * Whether a question asks for the present state of something. Words of ten languages side by side:
 * no language is detected, and a word that means something else in another language is left out.
 */

/** Stand alone: a letter on either side makes another word. */
const WORDS = [
  // English
  'now|nowadays|currently|current|presently|still|latest|newest|today|todays|anymore|these days|any more|at present|at the moment|right now|most recent(?:ly)?|up[- ]to[- ]date|as we speak|at this (?:point|time|moment)|by now|for now|lately|this (?:week|month|year)|as of (?:late|writing)',
  // German
  'jetzt|aktuell(?:e[nmrs]?)?|derzeit(?:ige[nmrs]?)?|momentan|zurzeit|gegenwärtig|heute|heutzutage|noch immer|immer noch|neueste[nmrs]?|diese (?:woche)|im moment',
  // French
  "maintenant|actuel(?:le)?s?|actuellement|aujourd[’']hui|encore|toujours|en ce moment|cette semaine|ces jours-ci|à présent",
  // Spanish, Portuguese, Italian
  'ahora|actual(?:es)?|actualmente|todavía|aún|hoy|en este momento|esta semana|agora|atualmente|hoje|ainda|adesso|attualmente|attuale|oggi|ancora',
  // Dutch
  'nu|momenteel|huidige|tegenwoordig|vandaag|nog steeds|deze week',
  // Russian
  'сейчас|теперь|текущ(?:ий|ая|ее|ие|его|ей|ую)|нынешн(?:ий|яя|ее|ие)|сегодня|до сих пор|по-прежнему|на этой неделе|в данный момент',
].join('|');
const STANDS_ALONE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS})(?![\\p{L}\\p{N}])`, 'iu');
/** Chinese and Japanese write no blanks. */
const STANDS_ANYWHERE =
  /现在|現在|目前|当前|當前|如今|最新|今天|本周|这周|這週|还在|仍然|いま|今は|今の|今も|まだ|今日|今週|最近/u;

/** A longer text is a pasted one, whose "now" is not the question's. */
const MOST_UNITS = 1000;

export const asksForNow = (query: string): boolean =>
  query.length <= MOST_UNITS && (STANDS_ALONE.test(query) || STANDS_ANYWHERE.test(query));
