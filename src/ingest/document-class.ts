/**
 * What a document is, for rankings that weigh by class: stated by itself, or by its path (seed
 * 003: each adapter labels what it reads).
 */

/** By folders and words of the path, the first that fits; `document` where none does. */
const BY_PATH: readonly (readonly [documentClass: string, path: RegExp])[] = [
  ['index', /(?:^|\/)memory\.(?:md|markdown|mdx|txt)$/],
  ['lesson', /(?:^|[/_.-])(?:lessons?|learnings?|feedback|gotchas?|pitfalls?)(?=[/_.-])/],
  ['retro', /(?:^|[/_.-])(?:retros?|retrospectives?|postmortems?|post-mortems?)(?=[/_.-])/],
  ['pull-request', /(?:^|[/_.-])(?:pulls?|prs?|pull-requests?)(?=[/_.-])/],
  ['design', /(?:^|[/_.-])(?:adrs?|designs?|rfcs?|decisions?|architecture)(?=[/_.-])/],
  [
    'process',
    /(?:^|[/_.-])(?:process(?:es)?|plans?|specs?|reviews?|runbooks?|checklists?|contributing|style-?guides?)(?=[/_.-])/,
  ],
];

/** A word that a person wrote as the class of a document; of a topic file, as its type. */
const CLASS = /^class:[ \t]*["']?([a-z][a-z0-9_-]{0,40})["']?[ \t]*(?:#.*)?$/m;
const TYPE = /^type:[ \t]*["']?([a-z][a-z0-9_-]{0,40})["']?[ \t]*(?:#.*)?$/m;

/** `frontMatter` without its fences; '' = none. */
export const documentClass = (path: string, frontMatter: string): string =>
  CLASS.exec(frontMatter)?.[1] ??
  TYPE.exec(frontMatter)?.[1] ??
  BY_PATH.find(([, pattern]) => pattern.test(path.toLowerCase()))?.[0] ??
  PLAIN_DOCUMENT;

export const PLAIN_DOCUMENT = 'document';
