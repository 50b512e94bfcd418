/** What is asked for more than once. */
export function remembered<T extends number | boolean | readonly number[]>(
  find: (key: string) => T,
): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}
