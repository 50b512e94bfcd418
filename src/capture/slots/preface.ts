/** What a speaker says before the statement: that there is one. It claims nothing itself. */

const UPDATES =
  'updates?|changes?|news|notes?|heads[ -]?up|memo|reminder|correction|edit|announcement|fact';
const BESIDE =
  "a|an|the|some|one|another|more|my|our|your|small|quick|little|big|short|brief|tiny|exciting|sad|good|bad|great|happy|life|status|personal|work|home|job|house|family|please|take|note|here|here's|is|and|also|so|ok|okay|well|got|for|you|of|file|files|record|records|log|today|tonight|this|week|month|late|latest";
/** `Please note a change:`, `Quick update on my side -`. */
const HEAD = new RegExp(
  `^(?:(?:${BESIDE}) ){0,6}(?:${UPDATES})(?: (?:for|from|on|of) (?:you|me|us|my side|today|the file|your files|the record))?\\s*(?:[:,!.]|[-–—](?= ))\\s*(?=\\S)`,
  'iu',
);
const SAYS =
  'mention|say|add|tell you|let you know|share|introduce myself|update you|note|point out|report|admit|confess|announce|inform you|give you an update|confirm';
/** `I should mention that`, `so I guess I should introduce myself,`. */
const PREFACE = new RegExp(
  `^(?:(?:so|and|well|oh|ok|okay|right|anyway|also|btw),? )?(?:i(?:['’]m| am)? ?(?:guess|think|suppose|figured|thought)? ?(?:i|it)? ?(?:should|must|have to|need to|want to|wanted to|forgot to|meant to|can|might as well|may as well|['’]d better|just wanted to|would like to|['’]d like to|happy to|glad to|pleased to|sad to|sorry to|proud to|ought to|could)(?: probably| also| just| quickly)? (?:${SAYS})|let me (?:${SAYS})|did i (?:mention|say|tell you)|i (?:didn['’]t|did not|never) (?:mention|say|tell you)(?: (?:it|this|that))?(?: yet)?(?=[,:])|in case i (?:did not|didn['’]t|have not|haven['’]t) (?:mention|say|said|mentioned|tell you|told you)(?: it)?|(?:(?:i|just|totally|completely|almost) )*forgot to (?:${SAYS})(?: (?:this|that|it))?(?=[,:]| [-–—])|i don['’]t (?:think|believe|know if) i(?:['’]ve| have)? (?:mentioned|said|told you)(?: it)?(?: yet)?)(?: that|:|,| [-–—])? (?=\\S)`,
  'iu',
);

const FIRST = 'before (?:we|i|you) (?:start|begin|go on|continue|proceed|forget|get going|dive in)';
/** `Quick q before we start - I'm vegetarian`: a name for what follows, whatever that is. */
const ANNOUNCED = new RegExp(
  `^(?:(?:and|so|ok|okay|oh|hey|hi|hello|also|btw|just),? ){0,3}(?:(?:just )?(?:(?:an?|one|my|another) )?(?:(?:very )?(?:quick|small|short|little|brief|last) )(?:q|question|one|thing|point|aside|comment|remark|disclaimer|intro|info|detail|background|context)(?: (?:first|${FIRST}))?|one (?:more )?thing(?: (?:first|${FIRST}))?|${FIRST}|first things first|guess what|you know what|for context|for background|some context)(?:\\s*[:,]|\\s+[-–—])\\s+(?=\\S)`,
  'iu',
);

/** `This is about me:`, `You asked where I live:`: what it is about, or whom it answers. */
const ABOUT =
  /^(?:(?:so|and|ok|okay|well),? )?(?:(?:this|that|here|it)(?:['’]s| is)? about (?:me|myself|us)|you (?:just )?(?:asked|wanted to know|were asking|wondered) [^:.!?\n]{1,60}|to answer (?:you|your question)|as you asked)\s*(?::|\s[-–—])\s+(?=\S)/iu;

/** `Turns out I'm not allergic`: of oneself no lesson begins so. */
const TURNED_OUT =
  /^(?:(?:so|and|well|oh|ok|okay|good news|update),? )?(?:(?:as )?it )?(?:turns|turned) out(?: that|,)? (?=I(?:['’](?:m|ve)| am| have| do| don['’]t)? )/iu;

/** UTF-16 units that it takes; 0 = there is none. */
export function prefaceLength(text: string): number {
  const head = text.slice(0, MOST_TEXT);
  const found =
    HEAD.exec(head) ??
    PREFACE.exec(head) ??
    ANNOUNCED.exec(head) ??
    ABOUT.exec(head) ??
    TURNED_OUT.exec(head);
  return found?.[0].length ?? 0;
}
const MOST_TEXT = 120;
