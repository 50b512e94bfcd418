/**
 * Names of secrets in Italian, Spanish, Portuguese, Dutch, Polish, French and German, before their
 * value: `la mia password è gatto`, `mijn wachtwoord: kater`, `hasło to czarnykot`. They are read
 * as what they are in English, `password is gatto`.
 */
import { itemsOf, wordSet } from './items.ts';
import { namesSecret } from './named.ts';

const WORDS =
  "password|passwort|kennwort|parola (?:chiave|d'ordine|d'accesso)|contraseña|contrasena|(?:mi|nuestra) clave|senha|palavra[ -]passe|wachtwoord|hasło|haslo|mot de passe|mdp|passphrase|frase segreta|frase secreta|phrase secrète|wachtwoordzin";
const NUMBERS =
  "(?:codice|código|codigo|code|kod|cod|le) (?:pin|segreto|secreto|secret|secrète|di accesso|de acceso|de acesso|d'accès|dostępu|sim|puk)|pin(?: ?code|-code|kod)?|nip|puk|geheime code|toegangscode|(?:mon|mi|meu|il mio|mijn|mój) (?:code|código|codice|kod)";
const OF_WHAT =
  "(?: (?:del|della|dello|dell|di|de|da|do|du|des|van|voor|para|per|pour|von|für|zu|zum|od|na|op|mio|mia|el|la|le|il|o|a|het|mijn|mon|ma|mi|meu|minha|mój|moje|do)(?: [\\p{L}'-]{1,20}){1,3}?)?";
const IS =
  '(?: ?[:=]| (?:è|é|es|est|ist|is|jest|to(?: jest)?|lautet|luidt|brzmi|será|sarà|sera|wordt|was|era|était|war|bylo|było))(?: (?:adesso|ora|ahora|agora|maintenant|jetzt|nu|nou|teraz|sempre|siempre|toujours|immer|ancora|ainda|encore|noch|nog|il|el|le|la|o|het|de))?';
const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(${WORDS})|(?:${NUMBERS}))${OF_WHAT}${IS} ([^\\n]{3,80})`,
  'iu',
);
/** What people say of a secret. */
const SAID_OF = wordSet(
  // Italian
  'sbagliata sbagliato scaduta scaduto lunga lungo corta corto troppo stessa stesso nuova nuovo vecchia vecchio sicura sicuro segreta segreto cambiata cambiato persa debole forte facile difficile uguale quella quello sotto sul sulla nel nella salvata scritta scritto dimenticata bloccato bloccata diversa ' +
    // Spanish, Portuguese
    'misma mismo igual débil larga muito muy demasiado longa curta velha velho antiga antiguo errada errado fraca mesma mesmo nova novo está esta estaba guardada escrita uma una um un que para como fácil difícil incorreta ' +
    // Dutch
    'te lang kort nieuw oud zwak sterk veilig onveilig geheim verlopen vergeten gewijzigd hetzelfde fout verkeerd kwijt nog altijd niet geen een erg heel moeilijk makkelijk opgeslagen bekend anders op in onder ' +
    // Polish
    'za długie krótkie nowe stare słabe silne bezpieczne tajne złe błędne nie zbyt bardzo samo takie zawsze trudne łatwe zmienione zapisane hasło ' +
    // French, German
    'faux fausse mauvais mauvaise ancien ancienne même identique changé enregistré perdu celui celle un une dans sous sur trop ein eine einen zu sehr nicht noch',
);

export function givesValueElsewhere(text: string): boolean {
  const [, word, value = ''] = NAMED.exec(text) ?? [];
  const [first = ''] = value.toLowerCase().split(/[\s.,;!?]/, 1);
  if (first === '' || SAID_OF.has(first)) return false;
  const name = word === undefined ? 'pin' : 'password';
  return namesSecret(itemsOf(`my ${name} is ${value}`));
}
