/**
 * What the compiler knows of manifests. `contextengine generate` fills {@link ManifestRegister};
 * from then on a compose call whose scope or manifest is known by its type is held to that
 * manifest. As long as it is empty, names are texts.
 */
import type { ComposeRequest } from './composition.ts';
import type { ScopeUuid } from './ids.ts';

/**
 * The manifests of an application by name, filled by the file that `contextengine generate` writes.
 * An entry names the type of scope that the manifest serves, its version, its inputs, and the
 * layers that each intent fires.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface ManifestRegister {}

interface Entry {
  readonly scope: string;
  readonly version: string;
  readonly inputs: object;
  readonly intents: object;
}
type Name = Extract<keyof ManifestRegister, string>;
type EntryOf<N extends string> = N extends Name ? Extract<ManifestRegister[N], Entry> : never;
type Field<N extends string, K extends keyof Entry> = EntryOf<N>[K] & string;

/**
 * A key of the register that carries its version: an older one, which serves only calls that name
 * it so.
 */
type Older = `${string}@${string}`;
/** The manifests that a call for a scope of type `S` may name. */
type NamesFor<S extends string> = string extends S
  ? Name
  : { [N in Name]: S extends Field<N, 'scope'> ? N : never }[Name];
/** Those of them that serve a call which names none. */
type NamesServing<S extends string> = Exclude<NamesFor<S>, Older>;
/** How a call may name a manifest: `name` or `name@version`. */
type Spelled<N extends string> = N extends Older ? N : N | `${N}@${Field<N, 'version'>}`;
type NameSpelled<N extends string, M extends string> = N extends string
  ? M extends Spelled<N>
    ? N
    : never
  : never;

/** A name that stands for "any manifest": nothing is known. */
type Unknown = '*';

/**
 * The manifest of a call: the one it names, else the one that serves its type of scope. `M` is
 * `never` where the call names none, and `string` where the name is not known to the compiler.
 */
type NameOf<S extends string, M extends string> = [Name] extends [never]
  ? Unknown
  : [M] extends [never]
    ? string extends S
      ? Unknown
      : NamesServing<S>
    : string extends M
      ? Unknown
      : NameSpelled<NamesFor<S>, M>;

/** Whether a union has more than one member. */
type IsSeveral<N extends string> = true extends { [K in N]: [N] extends [K] ? false : true }[N]
  ? true
  : false;

/**
 * The intents that a call may name: those that its manifest declares, and the built-in ones. Any
 * text where nothing is known.
 */
export type IntentOf<S extends string, M extends string> = [NameOf<S, M>] extends [never]
  ? [M] extends [never]
    ? `no manifest serves scopes of type ${S}`
    : string // the manifest is what is wrong
  : NameOf<S, M> extends Unknown
    ? string
    : keyof EntryOf<NameOf<S, M>>['intents'] & string;

/** The names of the layers that an intent of the call's manifest fires. */
export type LayerOf<S extends string, M extends string, I extends string> =
  NameOf<S, M> extends Unknown ? string : FiredBy<NameOf<S, M>, I>;
type FiredBy<N extends string, I extends string> = N extends Name
  ? EntryOf<N>['intents'] extends infer All
    ? All[I & keyof All] & string
    : never
  : never;

/** A manifest that declares no inputs takes none. */
export interface NoInputs {
  readonly 'this manifest declares no inputs'?: never;
}
type Inputs<N extends string> = N extends Name
  ? keyof EntryOf<N>['inputs'] extends never
    ? NoInputs
    : EntryOf<N>['inputs']
  : never;

type InputsField<S extends string, M extends string> = [NameOf<S, M>] extends [never]
  ? Pick<ComposeRequest, 'inputs'>
  : NameOf<S, M> extends Unknown
    ? Pick<ComposeRequest, 'inputs'>
    : object extends Inputs<NameOf<S, M>>
      ? { readonly inputs?: Inputs<NameOf<S, M>> }
      : { readonly inputs: Inputs<NameOf<S, M>> };

/**
 * A literal must be the name of a manifest that serves the scope; a text that the compiler does not
 * know is taken as it is.
 */
type CheckedName<S extends string, M extends string> = [Name] extends [never]
  ? M
  : string extends M
    ? M
    : [M] extends [never]
      ? Spelled<NamesFor<S>>
      : M extends Spelled<NamesFor<S>>
        ? M
        : Spelled<NamesFor<S>>;

/** Required where several manifests serve the scope's type. */
type ManifestField<S extends string, M extends string> =
  IsSeveral<NamesServing<S>> extends true
    ? string extends S
      ? { readonly manifest?: CheckedName<S, M> }
      : { readonly manifest: CheckedName<S, M> }
    : { readonly manifest?: CheckedName<S, M> };

/**
 * A compose request whose scope is of type `S` and whose manifest is `M`, as far as the compiler
 * knows them.
 */
export type ComposeCall<S extends string, M extends string, I extends string> = CallOf<
  ComposeRequest,
  S,
  M,
  I
>;
/** The same on an engine that is bound to a profile. */
export type BoundComposeCall<S extends string, M extends string, I extends string> = CallOf<
  Omit<ComposeRequest, 'permission_profile'>,
  S,
  M,
  I
>;

type CallOf<R, S extends string, M extends string, I extends string> = Omit<
  R,
  'scope_block_uuid' | 'intent' | 'inputs' | 'manifest'
> & {
  readonly scope_block_uuid: ScopeUuid<S>;
  /** Declared by the manifest or built in. */
  readonly intent: I;
} & ManifestField<S, M> &
  InputsField<S, M>;
