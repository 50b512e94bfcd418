/** Which variant of a manifest serves a scope: by a hash, so that a scope keeps the one it has. */
import type { Uuid } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import { sha256 } from './bundle.ts';

/**
 * The variant of a scope, or the manifest as written. The variants share the line from 0 to 1 by
 * weight, in order of their names; what is left at its end is the manifest's own.
 */
export function pickVariant(manifest: Manifest, scopeRoot: Uuid): Manifest {
  if (manifest.variants.length === 0) return manifest;
  const place = placeOf(manifest.name, scopeRoot);
  let end = 0;
  for (const { weight, manifest: variant } of manifest.variants) {
    end += weight;
    if (place < end) return variant;
  }
  return manifest;
}

/**
 * The variant of a name, or the manifest as written; undefined where it has no variant of the name.
 */
export const variantNamed = (manifest: Manifest, name: string | undefined): Manifest | undefined =>
  name === undefined
    ? manifest
    : manifest.variants.find((variant) => variant.name === name)?.manifest;

/** 48 bits: as many as a double holds exactly with room to spare. */
const HEX_DIGITS = 12;

/**
 * From 0 up to 1. The name keeps experiments of two manifests apart: a scope is not always in the
 * first half.
 */
const placeOf = (name: string, scopeRoot: Uuid): number =>
  Number.parseInt(sha256(`${name}/${scopeRoot}`).slice(0, HEX_DIGITS), 16) / 16 ** HEX_DIGITS;
