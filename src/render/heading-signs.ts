/** Signs that a text writes by their number or their name, as HTML and Markdown read them. */

const CODED_13 = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,31}));/gi;

/** So in version 13: of names, those of some blanks and of the sign in names of layers. */
export const codedSigns13 = (text: string): string =>
  text.replace(CODED_13, (whole: string, ...parts: readonly (string | undefined)[]) => {
    const [decimal, hex, name] = parts;
    if (name === undefined) return numbered(decimal, hex) ?? whole;
    if (UNDERSCORE.test(name)) return '_';
    return /^(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj)$/i.test(name) ? ' ' : whole;
  });

/** Names of Latin-1 that no letter is called, which a browser reads without their end as well. */
const OF_OLD =
  'nbsp shy quot amp lt gt acute brvbar cedil cent copy curren deg divide iexcl iquest laquo macr ' +
  'middot not para plusmn pound raquo reg sect times uml yen';
/** So it reads a number. */
const CODED = new RegExp(
  `&(?:#0*(\\d{1,7})(?!\\d);?|#x0*([0-9a-f]{1,6})(?![0-9a-f]);?|([a-z][a-z0-9]{0,31});|` +
    `(${OF_OLD.replaceAll(' ', '|')}))`,
  'gi',
);
const UNDERSCORE = /^(?:lowbar|underbar)$/i;
/** Those that show nothing. */
const UNSEEN =
  /^(?:shy|zwj|zwnj|lrm|rlm|zerowidthspace|negative(?:thin|verythin|medium|thick)space|nobreak|applyfunction|af|invisible(?:times|comma)|it|ic)$/i;
/** Letters of mathematics, which are those of the alphabet in another form. */
const FORMED = /^([a-z])(?:scr|fr|opf)$/i;
/** And signs of markup, written out. */
const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '<': 'lt',
    '>': 'gt',
    '&': 'amp',
    '*': 'ast midast',
    '\\': 'bsol',
    '`': 'grave diacriticalgrave',
    a: 'ordf',
    b: 'bernou bernoullis',
    c: 'complexes cayleys',
    d: 'dd capitaldifferentiald differentiald',
    e: 'ee exponentiale expectation',
    f: 'fouriertrf',
    ff: 'fflig',
    ffi: 'ffilig',
    ffl: 'ffllig',
    fi: 'filig',
    fj: 'fjlig',
    fl: 'fllig',
    g: 'gscr',
    h: 'hamilt hilbertspace planckh poincareplane',
    i: 'ii imaginaryi im image imagpart ifr',
    l: 'ell lagran laplacetrf',
    m: 'mellintrf phmmat',
    n: 'naturals',
    o: 'order orderof oscr ordm',
    p: 'primes',
    q: 'rationals quaternions',
    r: 're real realpart reals realine',
    z: 'integers zeetrf',
    '1': 'sup1',
    '2': 'sup2',
    '3': 'sup3',
  }).flatMap(([letters, names]) => names.split(' ').map((name) => [name.toLowerCase(), letters])),
);
/** Other letters: of Latin with a mark, of Greek, of Cyrillic and Hebrew. */
const OTHER_LETTER =
  /^(?:[a-z]{1,2}(?:acute|grave|uml|tilde|ring|cedil|caron|slash|lig|strok|macr|breve|ogon|dblac|midot)|[aceghijosuwy]circ|[a-z]{1,5}cy|eth|thorn|inodot|imath|jmath|(?:alpha|beta|gamma|delta|epsi(?:lon|v)?|zeta|eta|theta(?:sym|v)?|iota|kappav?|lambda|mu|nu|xi|omicron|pi|rho|sigma[fv]?|tau|upsi(?:lon)?|phi|chi|psi|omega)|aleph|alefsym|beth|gimel|daleth|micro|kgreen)$/i;

export const codedSigns = (text: string): string =>
  text.replace(CODED, (whole: string, ...parts: readonly (string | undefined)[]) => {
    const [decimal, hex, name, ofOld] = parts;
    const called = (name ?? ofOld)?.toLowerCase();
    return called === undefined ? (numbered(decimal, hex) ?? whole) : (named(called) ?? whole);
  });

/** The names of most signs are those of blanks, of punctuation and of pictures. */
function named(name: string): string | undefined {
  if (UNDERSCORE.test(name)) return '_';
  if (UNSEEN.test(name)) return '';
  const letters = FORMED.exec(name)?.[1] ?? FORMS.get(name);
  return letters ?? (OTHER_LETTER.test(name) ? undefined : ' ');
}

function numbered(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The text with blanks that are written by name, so that its length is that of what shows. */
export const withBlanks = (text: string): string =>
  text.replace(CODED, (whole) => {
    const sign = codedSigns(whole).replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
    return sign.trim() === '' ? sign : whole;
  });
