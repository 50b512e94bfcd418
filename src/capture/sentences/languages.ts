/** Names of languages, in English and as those who speak them write them. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'english french german spanish italian portuguese dutch danish swedish norwegian finnish ' +
    'icelandic polish czech slovak slovene slovenian croatian serbian bosnian bulgarian romanian ' +
    'hungarian greek turkish russian ukrainian belarusian estonian latvian lithuanian albanian ' +
    'maltese irish welsh catalan basque galician arabic hebrew persian farsi hindi urdu bengali ' +
    'punjabi tamil telugu marathi gujarati nepali sinhala thai vietnamese indonesian malay ' +
    'gaelic tagalog filipino chinese mandarin cantonese japanese korean swahili amharic hausa yoruba ' +
    'zulu afrikaans latin esperanto deutsch français francais español espanol italiano'
  ).split(' '),
);

export const isLanguage = (word: string): boolean => LANGUAGES.has(word.toLowerCase());
/** For a form of words. */
export const LANGUAGE = [...LANGUAGES].join('|');
