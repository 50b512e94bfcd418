/**
 * What the compiler knows of collections. `contextengine generate` fills
 * {@link CollectionRegister}; from then on a profile is typed by it. As long as it is empty, names
 * are texts.
 */

/**
 * The collections of an application by name, filled by the file that `contextengine generate`
 * writes. An entry names the type of each property.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface CollectionRegister {}

type Name = keyof CollectionRegister;
/** A list for `cardinality: many` and for type `array`; a date as ISO 8601 text. */
type Value = string | number | boolean | readonly (string | number | boolean | readonly string[])[];

/** All values of a subject, by collection and property. A property without one is not there. */
export type ProfileValues = [Name] extends [never]
  ? Readonly<Record<string, Readonly<Record<string, Value>>>>
  : {
      readonly [C in Name]: {
        readonly [P in keyof CollectionRegister[C]]?: CollectionRegister[C][P];
      };
    };

/** What is named is set, null takes the value out, what is not named stays. */
export type ProfileChange = [Name] extends [never]
  ? Readonly<Record<string, Readonly<Record<string, Value | null>>>>
  : {
      readonly [C in Name]?: {
        readonly [P in keyof CollectionRegister[C]]?: CollectionRegister[C][P] | null;
      };
    };
