/** Statements of others, each of another one: capture proposes them all. */
const NAMES = 'Bo Al Cy Dee Ed Flo Gus Hal Ida Jo Kit Lou Max Ned Ola Pam Quin Ray Sue Tom';
const FOODS = ['nuts', 'milk', 'eggs', 'soy', 'wheat', 'kiwi'];

/** 120: more than may wait for a scope. */
export const OF_FRIENDS: readonly string[] = NAMES.split(' ').flatMap((name) =>
  FOODS.map((food) => `My friend ${name} is allergic to ${food}.`),
);
