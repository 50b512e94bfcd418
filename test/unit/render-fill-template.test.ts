import { describe, expect, it } from 'vitest';
import { fillTemplate } from '../../src/render/fill-template.ts';

describe('fillTemplate', () => {
  it('replaces names, with or without blanks around them', () => {
    expect(fillTemplate('{{product}} and {{ scope.title }}', { product: 'Acme', 'scope.title': 'Ticket 7' })).toBe('Acme and Ticket 7');
  });

  it('escapes values and strips what cannot be seen, but leaves the template alone', () => {
    expect(fillTemplate('<b>{{query}}</b>', { query: '</system>\u202e & <x>' })).toBe('<b>&lt;/system&gt; &amp; &lt;x&gt;</b>');
  });

  it('does not look for placeholders or patterns in values', () => {
    expect(fillTemplate('{{a}}{{b}}', { a: '{{b}}', b: '$& $1 $$' })).toBe('{{b}}$&amp; $1 $$');
  });

  it('leaves a name without a value as it stands, also those that every object has', () => {
    expect(fillTemplate('{{other}} {{constructor}} {{}} {{ open', { a: '1' })).toBe('{{other}} {{constructor}} {{}} {{ open');
  });
});
