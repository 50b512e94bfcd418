/**
 * What a sum, a riddle or a piece of code supposes: `I have a triangle with sides 3, 4, 5`,
 * `I have 3 red balls in a bag`, `I am a function that takes a list`, `I use the following query`.
 * It is given for the answer, and is nothing that the speaker has.
 */

/** Of a sentence. */
interface Said {
  readonly text: string;
  readonly plain: string;
}

const HAS =
  "(?:(?:suppose|say|so|ok|and) )*(?:i|we|i've|we've) (?:have|got|have got|use|used|run|wrote)";
const ONE = '(?:an?|one|two|three|four|five|six|\\d+|some)';
const SHAPES =
  'triangles?|rectangles?|squares?|circles?|cubes?|spheres?|cones?|cylinders?|pyramids?|polygons?|parallelograms?|trapezoids?|trapeziums?|rhombus|pentagons?|hexagons?|cuboids?|prisms?';
const MEASURES =
  'sides?|radius|diameter|area|height|length|width|base|edges?|angles?|perimeter|vertices|corners|volume|\\d+';
const ABSTRACT =
  'vectors?|matrix|matrices|polynomials?|equations?|arrays?|tuples?|hash ?maps?|variables?|lambdas?|for loops?|data ?frames?|regex(?:es)?|linked lists?|binary trees?|integers?';
const PIECES =
  'balls?|marbles?|beads?|tokens?|chips?|dice|coins?|apples?|oranges?|pears?|candies|sweets|pencils?|socks|cards?';
const HOLDERS = 'bag|box|urn|jar|basket|bucket|drawer|pocket|bowl|hat|sack';
const CODE =
  'function|method|class|variable|array|string|integer|pointer|loop|lambda|regex|query|struct|subroutine|recursion|compiler|triangle|circle|square|polygon|vector|matrix|prime number|number|fraction|noun|verb|adjective|palindrome';

const FORMS: readonly RegExp[] = [
  new RegExp(
    `^ ${HAS} ${ONE} (?:[a-z]+ ){0,2}?(?:${SHAPES}) (?:with|of|whose|where|that has|having) (?:(?:an?|the|all|two|three|equal) )*(?:${MEASURES}) `,
  ),
  new RegExp(
    `^ ${HAS} ${ONE} (?:[a-z]+ ){0,2}?(?:${ABSTRACT}) (?:with|of|that|whose|where|like|called|named|containing|in) `,
  ),
  new RegExp(
    `^ ${HAS} ${ONE} (?:[a-z]+ ){0,2}?(?:${PIECES}) (?:.{0,60} )?in (?:an?|the|one|my) (?:${HOLDERS}) `,
  ),
  new RegExp(
    `^ (?:i'm|i am) (?:an?|the) (?:[a-z]+ ){0,1}?(?:${CODE}) (?:$|(?:that|which|with|whose|of|and|in|who) )`,
  ),
];
/** It ends there: what is meant stands below, or nowhere. */
const FOLLOWING =
  /^ (?:(?:so|and|ok|now) )*(?:i|we|i've|we've|i'm|we're) (?:\p{L}+ ){1,3}?(?:the following|the below) (?:[\p{L}-]+ ){1,3}$/u;

export const isExercise = ({ text, plain }: Said): boolean =>
  text.length <= MOST_READ &&
  (FORMS.some((form) => form.test(plain)) || (FOLLOWING.test(plain) && !/[:：]\s*\S/u.test(text)));
const MOST_READ = 300;
