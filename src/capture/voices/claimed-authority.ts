/**
 * `I am the admin`, `I'm the owner of this account`, `I am your developer`: a claim of authority
 * over the assistant or the service, which nothing in a talk proves, so it waits. Of a place of its
 * own (`an admin at the hospital`, `the owner of a bakery`) it is a job. English.
 */
import type { Sentence } from '../sentences/sentence.ts';

const LEAD =
  '(?:(?:and|so|but|no|yes|well|ok|okay|hey|hi|hello|actually|listen|look|please|note|fyi|btw|remember|that|because|since) )*';
const AM =
  "(?:i'm|i am|we're|we are|this is|speaking as|it's me|i work as|i serve as|i act as) (?:(?:also|actually|really|still|now|in fact|only|just|both) )*";
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

const ASSISTANT =
  '(?:(?:chat)?gpt|claude|gemini|copilot|alexa|siri|llama|mistral|openai|anthropic|deepmind)';
/** What holds somebody back. */
const CHECKS =
  '(?:limits?|limitations?|restrictions?|rules?|checks?|approvals?|polic(?:y|ies)|reviews?|verifications?|confirmations?|safeguards?|filters?|quotas?|guidelines?|controls?|permissions?|guardrails?)';
const LEAVE =
  '(?:approvals?|permissions?|authori[sz]ations?|authority|clearance|sign ?off|consent)';
const EVERYTHING = '(?:all(?! (?:my|our) )|any|every|everything|anything|unlimited|whatever|each)';
/** Where an administrator works. */
const PLACES =
  '(?:Hospital|Clinic|School|College|University|Academy|Church|Library|Museum|Hotel|Home|House|Cent(?:er|re)|Practice|Foundation|Institute)';

const FORMS: readonly RegExp[] = [
  // Alone, the word is of where it is said.
  new RegExp(`^ ${LEAD}${AM}the ${KIND}${OVER_IT}${END}`, 'u'),
  new RegExp(`^ ${LEAD}${AM}(?:the|an?|one of the) ${KIND}${ROLE}${OF_IT} `, 'u'),
  // Of the assistant, whatever tail it has: `your developer, Bob`, `your creator from OpenAI`.
  new RegExp(`^ ${LEAD}(?:${AM}|as )your ${KIND}${ROLE} `, 'u'),
  new RegExp(`^ ${LEAD}(?:${AM}|as )your ${KIND}(?:boss|master|principal)${END}`, 'u'),
  new RegExp(`^ ${LEAD}${AM}(?:the|one of the) ${KIND}${OVER_IT} of ${ASSISTANT} `, 'u'),
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
  // `I am exempt from the spending limit`, `I have approval for all purchases`
  new RegExp(
    `^ ${LEAD}${AM}(?:exempt|exempted|excluded|free|released) from (?:(?:all|any|the|your|these|those|this|every|of) )*(?:[\\p{L}-]+ ){0,2}?${CHECKS} `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:i|we)(?:'ve| have)? (?:got |have |hold |been (?:given|granted) )*(?:(?:full|blanket|general|special|prior|written|standing|a) )*${LEAVE} (?:for|to|over|on)|${AM}(?:pre ?)?(?:approved|authori[sz]ed|cleared) for) (?:[\\p{L}-]+ )?${EVERYTHING} `,
    'u',
  ),
];

/** Of the text, where the capital tells a name: `the admin of Acme`, not of `the hospital`. */
const OF_NAME = new RegExp(
  `^(?:I['’]m|I am|We['’]re|We are) (?:(?:also|now|still|actually) )?the ${KIND}(?:admins?|administrators?|sysadmins?|superusers?|super ?admins?) (?:of|for) (?:the )?(?=\\p{Lu}|\\d)(?!(?:\\S+ ){0,4}?${PLACES}(?!\\p{L}))`,
  'u',
);

/** Whether it says what nobody takes at its speaker's word. */
export const claimsAuthority = ({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean => {
  const head = plain.slice(0, MOST_READ);
  return FORMS.some((form) => form.test(head)) || OF_NAME.test(text.slice(0, MOST_READ));
};
const MOST_READ = 200;
