/** FNV-1a of a feature, cut to a table of so many buckets: no list of words is stored. */
export function bucketOf(feature: string, buckets: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < feature.length; at += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01_00_01_93);
  return ((hash ^ (hash >>> 15)) >>> 0) % buckets;
}
