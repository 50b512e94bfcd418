/** Fills the placeholders of a manifest's text. */
import { escapeText } from './escape.ts';
import { visibleText } from './visible-text.ts';

/**
 * Replaces `{{name}}` by its value, escaped and without invisible characters: the template is trusted, what stands in for a placeholder is not.
 * Values are not searched for placeholders. A name without a value stays as it stands; the manifest check has refused it before.
 */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const key = name.trim();
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return value === undefined ? whole : escapeText(visibleText(value));
  });
}
