/** Which bytes a composition was rendered to. A replay renders those of its receipt. */

/** Until then, text of manifests kept the line breaks at its end. */
export const AUTHORED_AS_WRITTEN = 3;
/** Until then, the id of every item but a value stood in brackets. */
export const ALL_IN_BRACKETS = 4;
/** Until then, a text could write the tag of a part that instructs, where the manifest had none. */
export const OWN_NAMES_GUARDED = 5;
/** Until then, code that is fenced in a list or a quote was closed as if it stood in neither. */
export const FENCES_AT_MARGIN = 6;
/** Until then, a source that is only a UUID stood in the text, and no heading above a chunk. */
export const SOURCES_AS_UUIDS = 7;
/** Until then, a fact showed its month alone, and not when it ends. */
export const MONTHS_ALONE = 8;
/** Until then, the end of a fact stood as the day from which on it holds no longer. */
export const ENDS_AS_BOUNDS = 9;
/**
 * Until then, a heading of a layer was guarded only where nothing decorated it, and the subject of
 * values stood behind `about`.
 */
export const HEADINGS_PLAIN = 10;
/**
 * Until then, a turn said its role each time and a fact its day and its subject; a head named the
 * type that its layer is of and the file of a conversation; a value in words of the manifest stood
 * on one line, and its tags were escaped twice; calls of tools as OpenAI writes them were not read.
 */
export const SAID_EACH_TIME = 11;
/**
 * Until then, a text could write the head of a group or an id in other letter case; a value in
 * words of the manifest opened comments and the headings of a list, and its headings were escaped
 * twice in Markdown; no heading of a layer was guarded in a list.
 */
export const PLAIN_FORGERIES = 12;
/**
 * Until then, no heading was guarded whose name stood beside signs written by name, behind a
 * picture, in a link with brackets in its target, or in HTML with signs of tags in its quotes.
 */
export const PLAIN_TARGETS = 13;
/** Grows with every change of the bytes. */
export const RENDER_VERSION = 14;

/** Those whose bytes can be made again. */
const VERSIONS = [
  AUTHORED_AS_WRITTEN,
  ALL_IN_BRACKETS,
  OWN_NAMES_GUARDED,
  FENCES_AT_MARGIN,
  SOURCES_AS_UUIDS,
  MONTHS_ALONE,
  ENDS_AS_BOUNDS,
  HEADINGS_PLAIN,
  SAID_EACH_TIME,
  PLAIN_FORGERIES,
  PLAIN_TARGETS,
  RENDER_VERSION,
] as const;
export type RenderVersion = (typeof VERSIONS)[number];

export const renderVersionOf = (version: number): RenderVersion | undefined =>
  VERSIONS.find((each) => each === version);
