/** A map that forgets what was asked for least recently. */
export interface Lru<V> {
  /** Marks the entry as used. */
  get(key: string): V | undefined;
  has(key: string): boolean;
  put(key: string, value: V): void;
  size(): number;
  /** Least recently used first. */
  entries(): readonly (readonly [string, V])[];
}

export function createLru<V>(maxEntries: number): Lru<V> {
  const values = new Map<string, V>();
  const put = (key: string, value: V): void => {
    values.delete(key);
    values.set(key, value);
    for (const oldest of values.keys()) {
      if (values.size <= maxEntries) break;
      values.delete(oldest);
    }
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    has: (key) => values.has(key),
    put,
    size: () => values.size,
    entries: () => [...values],
  };
}
