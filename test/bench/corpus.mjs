/** Made-up memories and questions about them, the same on every run. */
const PEOPLE = ['Ada', 'Bruno', 'Chen', 'Dalia', 'Emeka', 'Freya', 'Goran', 'Hana', 'Ivo', 'Jun'];
const VERBS = [
  'prefers',
  'decided on',
  'rejected',
  'asked about',
  'measured',
  'postponed',
  'shipped',
  'documented',
  'reviewed',
  'reported',
];
const THINGS = [
  'the search index',
  'the billing export',
  'dark mode',
  'the onboarding tour',
  'the nightly backup',
  'the rate limiter',
  'CSV import',
  'the audit trail',
  'two-factor login',
  'the mobile layout',
  'the webhook retries',
  'the pricing page',
];
const REASONS = [
  'because customers asked for it',
  'after the incident in March',
  'to cut the monthly cost',
  'until the contract is signed',
  'since the old one was too slow',
  'for the Lisbon office',
  'before the summer release',
  'as the auditors required',
];

const pick = (list, index) => list[index % list.length];

/** Deterministic and spread: neighbouring indexes share few words. */
export function memory(index) {
  const mixed = (index * 7919 + 104729) % 1_000_003;
  return `${pick(PEOPLE, mixed)} ${pick(VERBS, Math.floor(mixed / 10))} ${pick(THINGS, Math.floor(mixed / 100))} ${pick(REASONS, Math.floor(mixed / 1200))} (note ${index}).`;
}

/** Distinct for every index, so that no cache can answer. */
export function question(index) {
  const mixed = (index * 6271 + 31337) % 1_000_003;
  return `What did ${pick(PEOPLE, mixed)} say about ${pick(THINGS, Math.floor(mixed / 10))} ${pick(REASONS, Math.floor(mixed / 120))}, question ${index}?`;
}
