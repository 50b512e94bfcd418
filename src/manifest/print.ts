/** A document of a manifest as the YAML that `fmt` would make of it. */
import { stringify } from 'yaml';
import { formatManifest } from './format.ts';

export function printManifest(document: object, file: string): string {
  const text = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  const formatted = formatManifest(text, file);
  // What has findings is printed as it stands: `validate` says what is wrong with it.
  return 'text' in formatted ? formatted.text : text;
}
