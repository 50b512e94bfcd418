/** What people say of a secret without giving it: `my password is too long`, `… ist abgelaufen`. */
import { wordSet } from './items.ts';

/** Words that hold a sentence together, adverbs of time and place among them. */
const CLOSED = wordSet(
  'a an the this that these those my your his her its our their mine yours hers ours theirs i you he she it we they me him us them who what which where when why how whose in on at of for from with without by to into onto over under above below behind between inside outside through across near beside about around after before during since until till than then there here not no never always often sometimes usually rarely only just still again already yet soon too so very quite rather pretty really much more most less least as if unless because while and or but nor both either neither each every any some all none same other another one two three four five six seven eight nine ten first second last now today tomorrow yesterday never ever once twice back up down off out away up-to-date also even maybe perhaps always nowhere everywhere somewhere elsewhere anyway anymore enough like unlike per via going gonna supposed meant ' +
    'der die das den dem des ein eine einer eines einem einen mein meine meiner meines meinem meinen dein deine sein seine ihr ihre unser unsere euer nicht kein keine zu sehr noch immer nur schon im in am an auf bei mit von vom für zum zur so wie aus nach wieder überall nirgends hier dort jetzt heute morgen gestern bald nie oft meist selten ganz ziemlich leider auch siehe und oder aber etwas irgendwo ich du er sie es wir ' +
    'la el los las mi tu su un una unos de en por para con sin muy no le les une des mon ma mes ton ta notre trop très pas dans sur pour avec toujours encore siempre nunca demasiado',
);

/** Adjectives, participles that no ending shows, verbs after `set to`, and what stands for it. */
const PREDICATES = wordSet(
  'wrong correct right long longer short shorter weak weaker strong stronger hard harder easy easier simple good better best bad worse worst fine ok okay safe safer unsafe secure insecure secret private public new newer old older same different similar identical unique random complex complicated lost gone known unknown broken stolen hidden written forgotten given taken chosen shown sent kept set reset left put held made found sold told understood due overdue up empty blank missing pending available unavailable valid invalid ready live active inactive common generic default mandatory optional compulsory obsolete outdated ancient recent current temporary permanent personal local global internal external universal normal special standard critical essential important necessary confidential sensitive alphabetical numeric alphanumeric hexadecimal manual automatic case-sensitive plain clear plaintext cleartext readable guessable great terrible awful horrible silly stupid funny boring annoying embarrassing crap rubbish nonsense history toast useless mine yours fresh stale open closed free enough stuck off on out dead tough tricky trivial sticky handy dumb lame nice cool neat perfect ideal sufficient adequate plenty everything nothing something anything safe-ish sane sound solid slow fast quick big small huge tiny high low full ' +
    'expire change rotate lapse fail work be renew match follow protect access unlock open start stop reset enter login log use try change update share leave keep stay ' +
    'english german french spanish italian dutch latin monday tuesday wednesday thursday friday saturday sunday dynamic static synchronous shared-only security-critical tba tbd n/a na null none undefined nil todo false true yes no unset redacted xxx wip classified ' +
    'falsch richtig lang länger kurz kürzer schwach stark sicher unsicher geheim neu alt gleich dasselbe einfach schwer schwierig weg leer gültig ungültig fällig bekannt unbekannt öffentlich privat wichtig nötig notwendig optional pflicht egal zufällig komplex identisch individuell verschieden unterschiedlich fertig bereit aktiv inaktiv kaputt hinüber ok gut schlecht besser simpel trivial sensibel vertraulich dynamisch deutsch englisch abgelaufen verloren vergessen hinterlegt unverändert unleserlich ' +
    'segura seguro larga largo corta corto débil fuerte nueva nuevo vieja secreta incorrecta correcta long longue court courte faible fort forte nouveau nouvelle sûr sûre secret correct incorrect perdu oublié expiré',
);
/** Of English participles and adjectives; `bleed` and `spring` are short. */
const ENDINGS = /^.{3,}(?:able|ible|ful|less|ous|ated|ized|ised|ly)$|^.{3,}(?:ed|ally)$|^.{5,}ing$/;
/** `gespeichert`, `abgelaufen`, and `guardada`, `oubliée`. */
const OTHER_ENDINGS =
  /^(?:(?:ab|an|auf|aus|bei|ein|zu|um|vor|mit|zurück|unter|nieder)?ge\p{L}{3,}(?:t|en)|(?:ver|be|ent|zer|er|über|wider)\p{L}{3,}(?:t|en)|\p{L}{3,}(?:ado|ada|ido|ida|ée?s?|bar|los|iert))$/u;

/** Things that a secret is made of: `my password is four random words`. */
const DESCRIPTIONS = wordSet(
  'word words character characters char chars letter letters digit digits symbol symbols number numbers sentence line lines quote lyric lyrics name names birthday date string sequence mess joke problem pain nightmare thing way combination mix manager vault phrase phrases phrase. poem song title wörter zeichen buchstaben ziffern satz name geburtstag datum',
);

export const isClosed = (said: string): boolean =>
  CLOSED.has(said) || (/^.{3,}ly$/.test(said) && !said.endsWith('elly'));
export const isPredicate = (said: string): boolean =>
  PREDICATES.has(said) || ENDINGS.test(said) || OTHER_ENDINGS.test(said);
export const isDescription = (said: string): boolean => DESCRIPTIONS.has(said);
/** No value, by itself. */
export const isOrdinary = (said: string): boolean =>
  isClosed(said) || isPredicate(said) || isDescription(said);
