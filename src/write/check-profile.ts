/** A change of a profile against the collections: each name and value, before anything is read. */
import { assertThat, ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { MAX_COUNT } from '../model/content-limits.ts';
import { shown } from '../model/ids.ts';
import type { Collection, CollectionProperty } from '../model/manifest.ts';
import { checkTyped } from './check-typed.ts';

export interface WantedValue {
  readonly collection: string;
  readonly property: CollectionProperty;
  /** One, or those of `cardinality: many`; null = the value is taken out. */
  readonly values: readonly unknown[] | null;
}

type Collections = Readonly<Record<string, Collection>>;

/** Throws `WRITE.TYPE_MISMATCH` for what the collections do not have. */
export const checkProfile = (values: unknown, collections: Collections): readonly WantedValue[] =>
  entriesOf(values, 'values').flatMap(([name, given]) => {
    if (!Object.hasOwn(collections, name)) throw collectionMissing(name, collections);
    return entriesOf(given, `values.${name}`).map(([property, value]) =>
      wanted({ collection: name, property, value }, collections),
    );
  });

interface Named {
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
}

function wanted(named: Named, collections: Collections): WantedValue {
  const { collection, value } = named;
  const properties = collections[collection]?.properties ?? {};
  const property = Object.hasOwn(properties, named.property)
    ? properties[named.property]
    : undefined;
  if (property && value === null) return { collection, property, values: null };
  if (property?.cardinality !== 'many') {
    // Throws for a property that the collection does not have, and says what was meant.
    const checked = checkTyped(named, collections).value;
    assertThat(property, 'a value is checked against its property');
    return { collection, property, values: [checked] };
  }
  if (!Array.isArray(value) || value.length > MAX_COUNT.values)
    throw new ContextEngineError('WRITE.TYPE_MISMATCH', {
      message: `\`${property.name}\` is \`${shown(value)}\`, and takes many values.`,
      fix: `Pass a list of at most ${MAX_COUNT.values} values.`,
      where: { field: `values.${collection}.${property.name}` },
    });
  const checked = value.map((entry) => checkTyped({ ...named, value: entry }, collections).value);
  const texts = new Set<string>();
  const distinct = checked.filter((entry) => {
    const text = JSON.stringify(entry);
    const isNew = !texts.has(text);
    texts.add(text);
    return isNew;
  });
  return { collection, property, values: distinct };
}

function entriesOf(given: unknown, field: string): readonly (readonly [string, unknown])[] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return Object.entries(given).filter(([, value]) => value !== undefined);
  throw new ContextEngineError('WRITE.INVALID', {
    message: `\`${field}\` is \`${shown(given)}\`.`,
    fix: 'Pass `{ collection: { property: value } }`; null takes a value out.',
    where: { field },
  });
}

function collectionMissing(name: string, collections: Collections): ContextEngineError {
  const known = Object.keys(collections);
  return new ContextEngineError('WRITE.TYPE_MISMATCH', {
    message: `There is no collection \`${name}\`.${suggest(name, known)}`,
    fix:
      known.length === 0
        ? 'Declare it in the manifests, as `kind: Collection`.'
        : `Use one of ${known.join(', ')}, or declare it in the manifests.`,
    where: { field: `values.${name}` },
  });
}
