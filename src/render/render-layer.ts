/** What the renderer is given, and what a format does with it. */
import type { RenderFormat } from '../model/manifest.ts';
import type { RenderVersion } from '../model/render-version.ts';

/** What neighbours have in common: it stands once, in a head above them. */
export interface RenderGroup {
  /** `2026-03-01`, or `2026-03` where the day is not shown; null = no time. */
  readonly date: string | null;
  /** What the items are about; where there is no date they are values, one a line. */
  readonly about?: string;
  readonly type?: string;
  readonly title?: string;
  readonly source?: string;
}

/** What a speaker can be; another role is a note. */
export const ITEM_ROLES = ['user', 'assistant', 'system', 'tool'] as const;
export type ItemRole = (typeof ITEM_ROLES)[number];

/** A retrieved item: data, whatever it says. */
export interface RenderItem {
  /** By which a model can cite it: digits, and letters before them for a scope far away. */
  readonly id: string;
  /** The speaker; null = none. */
  readonly author: string | null;
  /** Shown behind the author, or instead of one. */
  readonly role: ItemRole | null;
  /** Whether the role stands behind the author. Absent = where it is not `user`. */
  readonly isRoleShown?: boolean;
  /** What is not as usual: `confidence 0.8`. */
  readonly notes: readonly string[];
  readonly text: string;
  readonly group: RenderGroup;
}

/** Text of the manifest itself. */
export interface TrustedText {
  readonly kind: 'trusted';
  readonly text: string;
}
/** A line of ours between items: `(earlier turns are not shown)`. */
export interface RenderMark {
  readonly kind: 'mark';
  readonly text: string;
}
export type RenderPart = RenderItem | TrustedText | RenderMark;

export interface RenderLayer {
  /** `[a-z][a-z0-9_]*`. */
  readonly name: string;
  readonly parts: readonly RenderPart[];
}

export interface RenderOptions {
  readonly format: RenderFormat;
  /** Seed of the marker, or null for no datamarking. */
  readonly datamark: string | null;
  /** Absent = the one of today. */
  readonly version?: RenderVersion;
  /** All layers of the manifest: what no other text may open or close. */
  readonly layerNames: readonly string[];
  /**
   * What parts read as under these options, so that a part which is rendered again is read back.
   */
  readonly known?: WeakMap<RenderPart, string>;
}

/** What a format does. Every part is whole lines, so that token counts of parts add up. */
export interface LayerFormat {
  readonly open: (name: string) => string;
  readonly close: (name: string) => string;
  /** Takes from a part what would read as the beginning or end of a layer. */
  readonly guard: (part: string, guarding: Guarding) => string;
}

export interface Guarding {
  readonly layerNames: readonly string[];
  readonly version: RenderVersion;
  /** Words of the manifest. */
  readonly isTrusted: boolean;
}
