/**
 * Whether a message only greets, thanks or takes its leave, or has no letter at all: it asks for
 * nothing, and by the nearest vectors it finds something in any store. `yes`, `ok` and `go on`
 * are none: they answer what was said before, and what they are about may be a fact.
 */

/** A letter on either side makes another word. */
const stands = (words: string): string => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;

/** One of these makes the courtesy. */
const COURTESIES = [
  // English
  'hi|hello|hey|heya|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|welcome back',
  "how are you(?: doing)?|how[’']?s it going|how do you do|what[’']?s up|nice to meet you",
  'thanks|thank you|thank u|thx|ty|tysm|cheers|much appreciated|i appreciate it|many thanks',
  'bye|bye[- ]bye|goodbye|good bye|see (?:you|ya)|cya|farewell|take care|talk (?:to you )?(?:later|soon)',
  'have a (?:nice|good|great|lovely) (?:day|evening|weekend|one|night|time)',
  // German, Dutch
  "hallo|moin|servus|grüß (?:gott|dich)|gruezi|guten (?:morgen|tag|abend)|gute nacht|wie geht[’']?s(?: dir)?",
  'danke(?:schön| schön| sehr)?|vielen dank|tausend dank|tschüss|tschüß|auf wiedersehen|bis (?:bald|morgen|später)',
  'hoi|goedemorgen|goedemiddag|goedenavond|bedankt|dank (?:je|u)(?: wel)?|dankjewel|doei|tot ziens',
  // French, Spanish, Italian, Portuguese
  'bonjour|bonsoir|salut|coucou|merci|au revoir|à bientôt|bonne (?:journée|soirée|nuit)|ça va',
  'hola|buenos días|buenas (?:tardes|noches)|gracias|adiós|hasta (?:luego|mañana)|qué tal',
  'ciao|buongiorno|buonasera|salve|grazie|arrivederci|come stai|olá|oi|bom dia|boa (?:tarde|noite)',
  'obrigad[oa]|tchau|até (?:logo|amanhã)|tudo bem',
  // Russian
  'привет|здравствуйте|здравствуй|доброе утро|добрый (?:день|вечер)|спасибо|пока|до свидания|как дела',
].join('|');
/** Chinese and Japanese write no blanks. */
const UNSPACED =
  '你好|您好|早上好|晚上好|晚安|谢谢你?|謝謝你?|再见|再見|こんにちは|こんばんは|おはよう(?:ございます)?|' +
  'ありがとう(?:ございます)?|さようなら|おやすみ(?:なさい)?';
/** May stand beside one, and names nothing. */
const BESIDE = [
  'there|all|everyone|everybody|team|folks|guys|friend|my|again|so|very|much|really|a|lot|lots|ton|million',
  'you|your|for|the|this|that|it|help|and|oh|ah|ok|okay|yes|yeah|great|perfect|nice|cool|awesome|wow|good',
  'in advance|then|now|today|tomorrow|later|soon|once|both|is|are|was|very much|to|of|with',
  'dir|dich|ihnen|euch|sehr|und|für|die|deine|hilfe|zusammen|alle|je|wel|heel|erg',
  'beaucoup|bien|à tous|pour|votre|ton|aide|muchas|por|la|tu|ayuda|a todos|mille|molte|tutti|muito|большое',
].join('|');

const COURTESY = new RegExp(`${stands(COURTESIES)}|${UNSPACED}`, 'giu');
const FILLER = new RegExp(stands(BESIDE), 'giu');
/** A longer one says more. */
const MOST_UNITS = 120;

export function isCourtesy(message: string): boolean {
  if (message.length > MOST_UNITS) return false;
  const said = message.normalize('NFC');
  if (!NAMES.test(said)) return said.trim() !== '';
  const rest = said.replace(COURTESY, ' ');
  return rest !== said && !NAMES.test(rest.replace(FILLER, ' '));
}
const NAMES = /[\p{L}\p{N}]/u;
