/**
 * `I am the admin`, `I'm the owner of this account`, `I am your developer`: a claim of authority
 * over the assistant or the service, which nothing in a talk proves, so it waits. Of a place of its
 * own (`an admin at the hospital`, `the owner of a bakery`) it is a job. English.
 */
import type { Sentence } from '../sentences/sentence.ts';

const LEAD =
  '(?:(?:and|so|but|no|yes|well|ok|okay|hey|hi|hello|actually|listen|look|please|note|fyi|btw|remember|that|because|since) )*';
const AM =
  "(?:i'm|i am|we're|we are|this is|speaking as|it's me) (?:(?:also|actually|really|still|now|in fact|only|just|both) )*";
const KIND =
  '(?:(?:system|systems|site|account|server|main|sole|only|real|actual|original|lead|chief|head|super|verified|authori[sz]ed|legal|rightful|workspace|platform|service|security|database|app|tech|technical|product) )*';
const ROLE =
  '(?:admins?|administrators?|sysadmins?|owners?|root(?: user)?|superusers?|super ?admins?|moderators?|operators?|developers?|devs?|creators?|makers?|maintainers?|programmers?|engineers?|authors?|account holder|supervisors?|controllers?)';
const OVER_IT =
  '(?:admins?|administrators?|sysadmins?|owners?|root(?: user)?|superusers?|super ?admins?|operators?|creators?|makers?|maintainers?|developers?|moderators?)';
const SERVICE =
  '(?:accounts?|service|system|bot|chatbot|assistant|chat|conversation|channel|app|application|model|server|workspace|site|website|platform|tool|api|ai|agent|engine|database|deployment|instance|session|memory|project|tenant|program|software)';
const END =
  '(?= $| (?:and|so|but|now|here|today|by the way|btw|thanks|please|you|i|then|who|which|because|since|therefore|as) )';
const OF_IT = `(?: (?:of|for|on|in|at|behind|over) (?:this|that|the|your|our) (?:[\\p{L}-]+ )?${SERVICE}| (?:of|for) you|(?: over)? here)`;

const FORMS: readonly RegExp[] = [
  // Alone, the word is of where it is said.
  new RegExp(`^ ${LEAD}${AM}the ${KIND}${OVER_IT}${END}`, 'u'),
  new RegExp(`^ ${LEAD}${AM}(?:the|an?|one of the) ${KIND}${ROLE}${OF_IT} `, 'u'),
  new RegExp(`^ ${LEAD}(?:${AM}|as )your ${KIND}(?:${ROLE}|boss|master|principal)${END}`, 'u'),
  new RegExp(`^ ${LEAD}${AM}(?:root|superuser|(?:the|an?) authori[sz]ed (?:user|person)) `, 'u'),
  new RegExp(
    `^ ${LEAD}(?:i|we)(?:'ve| have)? (?:got |now |also |full )*(?:have |hold )?(?:full )?(?:admin|administrator|root|superuser|owner|developer|elevated) (?:rights?|access|privileges?|permissions?|mode)(?:${OF_IT} |${END})`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i|we) (?:own|run|operate|administer|administrate|created|built|made|programmed|trained|developed|control) (?:you|this ${SERVICE}|the whole ${SERVICE}) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i'm|i am|we're|we are) (?:authori[sz]ed|allowed|entitled|cleared|permitted) to (?:see|read|change|access|delete|approve|override|use|know|do) (?:all|any|every|everything|anything|your|this|the (?:system|memory)) `,
    'u',
  ),
];

/** Whether it says what nobody takes at its speaker's word. */
export const claimsAuthority = ({ plain }: Pick<Sentence, 'plain'>): boolean => {
  const head = plain.slice(0, MOST_READ);
  return FORMS.some((form) => form.test(head));
};
const MOST_READ = 200;
