/** Finds a file of an optional package without running the package. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** `path` is beside what `name` stands for. null = the package is not installed. */
export function fileOfPackage(name: string, path: string = ''): URL | null {
  try {
    return new URL(path, pathToFileURL(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}
