/** Names of countries in English, as the runtime knows them. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const SAID_FOR: readonly string[] = ['uk', 'us', 'usa', 'england'];

let names: ReadonlySet<string> | undefined;

/** A city that is a country counts as a city. */
export function isCountry(said: string): boolean {
  names ??= countryNames();
  return names.has(said.toLowerCase().replace(/^the /, ''));
}

function countryNames(): ReadonlySet<string> {
  const shown = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const found = codes.flatMap((code) => shown.of(code)?.toLowerCase() ?? []);
  return new Set([...found, ...SAID_FOR].filter((name) => !CITIES.has(name)));
}
const CITIES: ReadonlySet<string> = new Set(['singapore', 'monaco', 'gibraltar', 'luxembourg']);
