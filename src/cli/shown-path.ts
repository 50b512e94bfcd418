import { relative } from 'node:path';

/** A path as messages show it: relative to the working folder where it is inside. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || inside.startsWith('..') ? path : inside;
}
