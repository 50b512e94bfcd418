/** What the renderer is given, and what a format does with it. */
import type { RenderFormat } from '../model/manifest.ts';

/** A retrieved item: data, whatever it says. */
export interface RenderItem {
  /** `[a-z][a-z0-9_]*`: what the item is, `turn`, `fact`, `summary`, `property`, ... */
  readonly tag: string;
  readonly text: string;
  /** In this order; names are `[a-z][a-z0-9_]*`. Retrieved items carry `source`, `id`, `confidence`, `time`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Text of the manifest itself. */
export interface TrustedText {
  readonly kind: 'trusted';
  readonly text: string;
}
export type RenderPart = RenderItem | TrustedText;

export interface RenderLayer {
  /** `[a-z][a-z0-9_]*`. */
  readonly name: string;
  /** Rendered the same by every call, so that a provider can cache it. */
  readonly isStatic: boolean;
  /** One line of ours before the items. */
  readonly note?: string;
  readonly body: TrustedText | { readonly kind: 'items'; readonly items: readonly RenderPart[] };
}

export interface RenderOptions {
  readonly format: RenderFormat;
  /** Seed of the marker, or null for no datamarking. */
  readonly datamark: string | null;
  /** Names whose tags trusted text must not forge. Give all layers of the manifest, so that a part renders alone as it does in the whole. */
  readonly layerNames: readonly string[];
}

/** What a format does. Every part is whole lines and ends with one, so that token counts of parts add up to that of the whole. */
export interface LayerFormat {
  readonly open: (name: string, note: string | null) => string;
  readonly close: (name: string) => string;
  readonly item: (item: RenderItem, marker: string | null) => string;
  readonly trusted: (text: string, layerNames: readonly string[]) => string;
}
