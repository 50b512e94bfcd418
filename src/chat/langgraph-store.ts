/**
 * A `BaseStore` of LangGraph over facts: a namespace is a scope under a key, an item is a fact
 * whose subject is the item's key. What is put under a key again takes the place of what was there
 * from then on; the earlier value stays in the history of the fact.
 */
import { BaseStore, type Item, type Operation, type OperationResults } from '@langchain/langgraph';
import type { BoundEngine, Uuid } from '../index.ts';

/** What the store calls: `engine.as(profile)`. */
export type StoreEngine = Pick<BoundEngine, 'scopes' | 'facts' | 'remember' | 'write'>;
export interface StoreOptions {
  /** Block type of the scopes that hold the items. Default `store`. */
  readonly type?: string;
}

type GetOperation = { readonly namespace: string[]; readonly key: string };
type Put = Extract<Operation, { value: unknown }>;
type Search = Extract<Operation, { namespacePrefix: string[] }>;
type Listing = Exclude<Operation, GetOperation | Search>;
type Asked = { readonly scope: Uuid; readonly subject?: string };
type SearchItem = Item & { readonly score?: number };
type AnyFact = Awaited<ReturnType<StoreEngine['facts']['get']>>;
type StoredFact = Extract<AnyFact, { readonly table: 'memory_open_set' }>;

const CATEGORY = 'langgraph';
const MOST_FOUND = 100;
const DEFAULT_LIMIT = 10;

/** For `compile({ store })`. Items are read and written by the rights of the engine's profile. */
export function contextStore(engine: StoreEngine, options: StoreOptions = {}): BaseStore {
  return new ContextStore(engine, options.type ?? 'store');
}

class ContextStore extends BaseStore {
  readonly #engine: StoreEngine;
  readonly #type: string;

  constructor(engine: StoreEngine, type: string) {
    super();
    this.#engine = engine;
    this.#type = type;
  }

  /** One after the other, in the order given. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (const operation of operations) results.push(await this.#run(operation));
    // One result for each operation, of the type that belongs to its kind.
    return results as OperationResults<Op>;
  }

  async #run(operation: Operation): Promise<unknown> {
    if ('value' in operation) return this.#put(operation);
    if ('namespacePrefix' in operation) return this.#search(operation);
    if ('key' in operation) return this.#get(operation);
    return this.#namespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const scope = await this.#engine.scopes.find(keyOf(namespace));
    const fact = scope === null ? null : await this.#factOf(scope, key);
    return fact === null ? null : itemOf(fact, namespace);
  }

  async #factOf(scope: Uuid, key: string): Promise<StoredFact | null> {
    for await (const fact of this.#items({ scope, subject: key })) return fact;
    return null;
  }

  /** Of the scope itself: facts of those that it inherits from are items of other namespaces. */
  async *#items(asked: Asked): AsyncIterable<StoredFact> {
    let after: string | null = null;
    do {
      const more: { readonly after?: string } = after === null ? {} : { after };
      const page: Awaited<ReturnType<StoreEngine['facts']['list']>> = await this.#engine.facts.list(
        { ...asked, limit: 1000, ...more },
      );
      yield* page.facts.filter(isItemOf(asked.scope));
      after = page.cursor;
    } while (after !== null);
  }

  async #put({ namespace, key, value, index }: Put): Promise<void> {
    if (value === null) return this.#delete({ namespace, key });
    const { scope_block_uuid: scope } = await this.#engine.scopes.getOrCreate({
      type: this.#type,
      key: keyOf(namespace),
      title: JSON.stringify(namespace),
    });
    const earlier = await this.#factOf(scope, key);
    await this.#engine.remember(scope, {
      content: searchText(value, index),
      subject: key,
      category: CATEGORY,
      metadata: {
        value,
        is_searched: index !== false,
        created_at: earlier?.row.metadata['created_at'] ?? earlier?.origin.recorded_at ?? null,
      },
      ...(earlier !== null && { replaces: earlier.row.root_uuid }),
    });
  }

  async #delete({ namespace, key }: GetOperation): Promise<void> {
    const scope = await this.#engine.scopes.find(keyOf(namespace));
    const fact = scope === null ? null : await this.#factOf(scope, key);
    if (scope === null || fact === null) return;
    const { root_uuid, valid_from } = fact.row;
    const operation = 'DELETE';
    const table = fact.table;
    await this.#engine.write([{ operation, scope, table, root_uuid, cause: 'prune', valid_from }]);
  }

  async #search(asked: Search): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter, limit = DEFAULT_LIMIT, offset = 0 } = asked;
    // No wildcards: a prefix is made of ids that users choose.
    const spaces = await this.#spaces((namespace) =>
      namespacePrefix.every((part, index) => part === namespace[index]),
    );
    const found: SearchItem[] = [];
    for (const { scope, namespace } of spaces)
      found.push(...(await this.#itemsOf(scope, namespace, query)));
    const fitting = found.filter(({ value }) => isFitting(value, filter ?? {}));
    fitting.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    return fitting.slice(offset, offset + limit);
  }

  async #itemsOf(scope: Uuid, namespace: string[], query?: string): Promise<SearchItem[]> {
    if (query !== undefined && query.trim() !== '') {
      const found = await this.#engine.facts.search(query, { scope, limit: MOST_FOUND });
      return found
        .filter(isItemOf(scope))
        .filter(({ row }) => row.metadata['is_searched'] === true)
        .map((fact) => ({ ...itemOf(fact, namespace), score: fact.score }));
    }
    const items: SearchItem[] = [];
    for await (const fact of this.#items({ scope })) items.push(itemOf(fact, namespace));
    return items;
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: Listing) {
    const spaces = await this.#spaces((namespace) =>
      matchConditions.every(({ matchType, path }) =>
        matchType === 'prefix'
          ? startsWith(namespace, path)
          : startsWith([...namespace].reverse(), [...path].reverse()),
      ),
    );
    const cut = new Map(
      spaces
        .map(({ namespace }) => namespace.slice(0, maxDepth))
        .map((namespace) => [JSON.stringify(namespace), namespace]),
    );
    return [...cut.values()].slice(offset, offset + limit);
  }

  async #spaces(
    isWanted: (namespace: string[]) => boolean,
  ): Promise<readonly { readonly scope: Uuid; readonly namespace: string[] }[]> {
    const scopes = await this.#engine.scopes.list();
    const spaces: { scope: Uuid; namespace: string[] }[] = [];
    for (const { scope_block_uuid: scope, type, title } of scopes) {
      const namespace = type === this.#type ? namespaceOf(title) : null;
      if (namespace === null || !isWanted(namespace)) continue;
      // Anyone may give a title; the key is what a namespace is known by.
      if ((await this.#engine.scopes.find(keyOf(namespace))) === scope)
        spaces.push({ scope, namespace });
    }
    return spaces;
  }
}

/** A fact that this store wrote. */
const isItemOf =
  (scope: Uuid) =>
  <T extends AnyFact>(fact: T): fact is T & StoredFact =>
    fact.table === 'memory_open_set' &&
    fact.row.category === CATEGORY &&
    fact.row.scope_uuid === scope;

const keyOf = (namespace: readonly string[]): string => `langgraph:${JSON.stringify(namespace)}`;

/** The title of a scope that this store made; null = another made it. */
function namespaceOf(title: string | null): string[] | null {
  if (title === null || !title.startsWith('[')) return null;
  try {
    const parts: unknown = JSON.parse(title);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null;
  } catch {
    return null;
  }
}

const startsWith = (namespace: readonly string[], path: readonly string[]): boolean =>
  path.length <= namespace.length &&
  path.every((part, index) => part === '*' || part === namespace[index]);

/** The texts of a value, or of the fields that `index` names, as words to search by. */
function searchText(value: Readonly<Record<string, unknown>>, index?: false | string[]): string {
  const fields = Array.isArray(index) ? index.map((path) => at(value, path)) : [value];
  const texts = fields.flatMap(textsIn);
  return texts.length === 0 ? JSON.stringify(value) : texts.join('\n');
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, part) =>
        typeof inner === 'object' && inner !== null
          ? Object.entries(inner).find(([name]) => name === part)?.[1]
          : undefined,
      path === '$' ? { $: value } : value,
    );

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return value === null || value === undefined ? [] : [String(value)];
}

function itemOf({ row, origin }: StoredFact, namespace: string[]): Item {
  const { metadata, subject } = row;
  const updated = origin.recorded_at;
  const created = metadata['created_at'];
  return {
    value: { ...(metadata['value'] as Record<string, unknown>) },
    key: subject ?? '',
    namespace,
    createdAt: new Date(typeof created === 'string' ? created : updated),
    updatedAt: new Date(updated),
  };
}

const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  $eq: (a, b) => isEqual(a, b),
  $ne: (a, b) => !isEqual(a, b),
  $gt: (a, b) => Number(a) > Number(b),
  $gte: (a, b) => Number(a) >= Number(b),
  $lt: (a, b) => Number(a) < Number(b),
  $lte: (a, b) => Number(a) <= Number(b),
};
const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Fields equal what the filter names, or compare to it by `$eq`, `$ne`, `$gt`, `$gte`, … */
const isFitting = (
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(filter).every(([field, wanted]) => {
    const names = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : [];
    return names.length > 0 && names.every(([name]) => Object.hasOwn(COMPARISONS, name))
      ? names.every(([name, given]) => COMPARISONS[name]?.(value[field], given))
      : isEqual(value[field], wanted);
  });
