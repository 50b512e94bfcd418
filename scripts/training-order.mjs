/** Numbers of a sequence, 0..1: the same seed gives the same training. */
export function sequence(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of indexes, in an order of the sequence, in place. */
export function shuffle(order, next) {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
}
