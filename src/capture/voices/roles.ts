/**
 * Where the assistant is given a role, or is to write as somebody: the words that follow may be of
 * that role. What follows waits; of `my tutor` or `for me` the speaker goes on in their own name.
 */

/** Of a sentence. */
interface Said {
  readonly text: string;
  readonly plain: string;
}

const LEAD =
  "(?:(?:and|so|now|then|ok|okay|hey|hi|hello|well|please|also|just|from now on|i want you to|i need you to|i'd like you to|i would like you to|can you|could you|would you|will you|let's|try to) )*";
/** What somebody can do as another. */
const DOING =
  'act|speak|talk|say|put|phrase|answer|reply|respond|write|behave|pose|play|tweet|post|introduce|describe|tell|narrate|sing|present|argue|draft|compose|explain|text|complain|apologi[sz]e|blog|comment|rant|be|give|create|generate|invent|make|do';
/** `as a table` is of a form. */
const FORMS_OF_TEXT =
  'list|table|bullet|bullets|bulleted|numbered|json|csv|yaml|xml|html|pdf|file|poem|haiku|limerick|rhyme|story|letter|e?mail|tweet|post|markdown|single|short|long|one|paragraph|summary|draft|favou?r|test|start|first|last|final|second|next|reminder|rule|result|default|group|team|whole|function|class|string|number|percentage|diagram|script|gift|joke|bonus|backup|side|question|sentence|chart|graph|plan|schedule|recipe|comparison|template|snippet|footnote|title|heading|excel|word|plain|text|possible|usual|always|before|well|soon|long|much';
const AS = `as (?:(?:if|though) (?:you|she|he|they|it|written by)|(?:an?|the|his|her|their) (?!(?:[\\p{L}-]+ )?(?:${FORMS_OF_TEXT}) )) ?`;
const MANNER =
  "(?:in|with|using|from|through|into|by) (?:the |an? )?(?:[\\p{L}-]+ )?(?:voice|style|persona|role|words|shoes|character|perspective|point of view|viewpoint|pov|standpoint|eyes|guise) of (?!(?:me|my|mine|us|our) )|in (?!(?:my|our|your|the|a|this|that|active|passive) )[\\p{L}'’-]+['’]s (?:voice|words|style|shoes|role)";

/** Of `plain`. */
const ROLES: readonly RegExp[] = [
  new RegExp(`^ ${LEAD}(?:${DOING}) (?:[\\p{L}\\d'’-]+ ){0,6}?(?:${AS}|${MANNER})`, 'u'),
  new RegExp(
    `^ ${LEAD}(?:pretend|imagine|suppose|assume|say|make believe|act like|behave like|talk like)(?: that)? (?:you're|you are|you were|to be|you as) (?!(?:my|our|in|at|on|here|there|going|able|right|not|done|ready|still) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:you're|you are|you will be|you'll be)(?: now| from now on| no longer)+ (?:called |named )?(?!(?:my|our|in|at|on|here|there|going|able|not|done|ready|free|welcome|allowed|the best) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:you(?:'re| are|'ll| will)? (?:play|playing|be playing)|play) (?:an? |his |her |the (?:role|part|character) of )(?!(?:game|song|role|bit|trick|little|short) )(?:[\\p{L}'’-]+ ){1,5}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:${MANNER}|from [\\p{L}'’ -]{1,40}['’]s? (?:perspective|point of view|viewpoint|pov|eyes) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:${DOING}) (?:[\\p{L}\\d'’-]+ ){0,6}?(?:like|the way) (?:[\\p{L}'’-]+ ){1,3}?(?:would|does|did|speaks?|talks?|writes?) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:${DOING}) (?:an? |the |some )(?:[\\p{L}-]+ ){0,4}?(?:first person|(?:by|from) (?:an?|the|some) )(?!(?:list|template|start|end|bottom|top) )`,
    'u',
  ),
  /^ (?:and |so |now )*(?:your|the) (?:character|role|persona|alter ego|part) (?:is|will be|shall be|name is)(?: now)? /,
  new RegExp(
    `^ ${LEAD}be (?:an? |the )?(?:[\\p{L}'’-]+ ){1,3}for (?:a|the next|this|one|ten) `,
    'u',
  ),
  new RegExp(`^ ${LEAD}(?:be|become|impersonate|mimic|channel) (?:him|her|them) $`),
  new RegExp(`^ ${LEAD}(?:impersonate|mimic|embody|channel) (?!(?:my|our|me) )`),
];
/** `Write a tweet as Bo.`: names have capitals, and so have some forms. */
const AS_NAMED = new RegExp(`^ ${LEAD}(?:${DOING}) (?:[\\p{L}\\d'’-]+ ){0,6}?as `, 'u');
const NAME_BEHIND_AS = /\bas (?!(?:Markdown|Excel|Json|Word|Html)\b)\p{Lu}\p{Ll}/u;
/** What the speaker plays themselves. */
const PLAYED: readonly RegExp[] = [
  /^ (?:and |so |now |ok )*(?:my|our) (?:character|persona|alter ego|role in (?:this|the) \p{L}+)(?:'s| is| will be) /u,
  /^ (?:and |so |now |ok )*(?:i'm|i am|i'll be|i will be|i play|i'll play|let me be) (?:[\p{L}'’-]+ ){1,4}?(?:in|for) (?:this|the|our) (?:scene|game|story|play|roleplay|role play|sketch|exercise|scenario|script) /u,
  /^ (?:and |so |now |ok )*(?:i'm|i am|i'll be|i will be|i play|i'll play|let me be) (?:[\p{L}'’-]+ ){1,3}?(?:and )?(?:you|you're|you are|you'll be|you be|you play|you will be) (?:the |an? )/u,
  /^ (?:and |so |now |ok )*(?:you're|you are|you'll be|you be|you play|you will be) (?:the |an? |my )(?:[\p{L}'’-]+ ){1,3}?(?:and )?(?:i'm|i am|i'll be|i will be|i play|i'll play) (?:the |an? |your )/u,
];
/** `You play Bo.`, `You are Bo.`, `Be Bo.` */
const IS_NAMED =
  /^(?:(?:[Nn]ow|[Oo]k|[Ss]o),? )?(?:[Yy]ou(?:['’]re| are| play|['’]ll (?:be|play))|Be|Play) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?:, [^.!?]{1,80})?[.!]?$/u;

/** `Write my bio as a nurse would`: in the name of the speaker. */
const OF_SELF = / (?:my|mine|myself|i|i'm|i've|our|we) | (?<!(?:write|tell|give|send) )me /;

/** Whether it says what the speaker plays, or that both play. */
export const isPlayed = ({ text, plain }: Said): boolean =>
  text.length <= MOST_READ &&
  MAY_BE_PLAYED.test(plain) &&
  !OF_MACHINE.test(plain) &&
  PLAYED.some((form) => form.test(plain));
const MAY_BE_PLAYED =
  / (?:you|you're|you'll|scene|game|story|play|role ?play|sketch|exercise|scenario|script|character|persona|ego|role) /;
/** `You're an AI and I'm a nurse` gives nobody a part. */
const OF_MACHINE =
  / (?:you're|you are) (?:an? )?(?:ai|bot|chatbot|assistant|machine|computer|model|robot|llm) /;

export function givesRole({ text, plain }: Said): boolean {
  if (text.length > MOST_READ) return false;
  if (IS_NAMED.test(text) || isPlayed({ text, plain })) return true;
  const isOfSelf = OF_SELF.test(
    plain.replace(/ i (?:want|need|would like) you | i'd like you /, ' '),
  );
  if (isOfSelf) return false;
  return (
    ROLES.some((form) => form.test(plain)) || (NAME_BEHIND_AS.test(text) && AS_NAMED.test(plain))
  );
}
const MOST_READ = 300;

const LEVELS =
  '(?:an? |the )?(?:complete |total |absolute )?(?:five|six|seven|ten|\\d+|child|kid|toddler|baby|beginner|novice|idiot|dummy|noob|newbie|layman|layperson|stupid|dumb|new|friend|human|person|adult|expert|pro|equal|student|learner)';
/** `Act as if I'm a lawyer`, `treat me like I was your boss`; a child that is taught is none. */
const SUPPOSES_SPEAKER = new RegExp(
  `^ ${LEAD}(?:act|behave|talk|speak|respond|answer|reply|treat|address|continue)(?: (?:to|with))?(?: me| us)? (?:as if|as though|like) (?:i'm|i am|i was|i were|we're|we are|my (?:[\\p{L}-]+ ){1,2}?(?:is|was|were)|i had|i have) (?!${LEVELS} )`,
  'u',
);
/** To whom one speaks as a patient, a penitent, an accused or a relative. */
const COUNTERPARTS =
  'therapist|psychologist|psychiatrist|counsell?or|shrink|doctor|physician|gp|priest|confessor|rabbi|judge|interviewer|recruiter|boss|wife|husband|girlfriend|boyfriend|spouse|mother|mom|mum|father|dad|sister|brother|daughter|son|grandma|grandmother|grandpa|grandfather|landlord|police officer|detective';
const IS_COUNTERPART = new RegExp(
  `^ ${LEAD}(?:you're|you are|you'll be|you will be|be|you play)(?: now)? (?:an?|the|my) (?:[\\p{L}-]+ ){0,2}?(?:${COUNTERPARTS})(?= $| (?:and|who|with|at|in|for|named|called|now|today) )`,
  'u',
);
/** `My D&D character lives in Rome` */
const OF_CHARACTER =
  /^ (?:(?:and|so|now|ok) )*(?:my|our) (?:[\p{L}&'-]+ ){0,2}?(?:character|persona|alter ego|avatar|protagonist|oc|npc) (?:is|lives|has|works|was|comes|likes|can|wears|had) /u;
/** Whether what stands behind it in the turn may be said in play. */
export const supposesSpeaker = ({ text, plain }: Said): boolean =>
  text.length <= MOST_READ &&
  [SUPPOSES_SPEAKER, IS_COUNTERPART, OF_CHARACTER].some((form) => form.test(plain));
