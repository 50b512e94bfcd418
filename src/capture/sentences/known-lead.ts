/** `As you know, I live in Rome`: what says that it was told before, and leads to the statement. */
const KNOWN =
  /^(?:(?:and|so|but|well|ok|okay),? )?as (?:you(?: (?:already|may|might|probably|surely|well|should|do|both))* know|you(?: (?:may|might|probably|will))* (?:remember|recall)|(?:I|we)(?:['’]ve| have)? (?:(?:already|once|just) )?(?:said|mentioned|told you)(?: (?:before|earlier|above|already))?),? (?=(?:I|I['’]m|I['’]ve|we|we['’]re|we['’]ve|my|our) )/iu;

/** UTF-16 units that it takes; 0 = there is none. */
export const knownLeadLength = (text: string): number => KNOWN.exec(text)?.[0].length ?? 0;
