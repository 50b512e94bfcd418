/**
 * The generated types, held by the compiler: right calls compile, wrong ones are refused, each with
 * words that say what is wrong.
 */
import { describe, expect, it } from 'vitest';
import { checkCollection } from '../../src/manifest/collection.ts';
import { declarationsOf } from '../../src/manifest/declarations.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { parseYaml } from '../../src/manifest/yaml-document.ts';
import type { Collection, Manifest } from '../../src/model/manifest.ts';
import { compileModules, type Resolution } from '../support/compile-modules.ts';

function manifest(metadata: string, spec: string): Manifest {
  const text = `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { ${metadata} }\nspec:\n${spec}`;
  const parsed = parseManifest(text, { path: 'm.yaml' });
  if (!parsed.manifest) throw new Error(JSON.stringify(parsed.findings));
  return parsed.manifest;
}

function collection(text: string): Collection {
  const [document] = parseYaml(text, 'c.yaml').documents;
  const found = document && checkCollection(document, 'c.yaml').collection;
  if (!found) throw new Error('the collection is not sound');
  return found;
}

const CHAT = manifest(
  'name: chat, version: 3, scope_block_type: chat_session',
  '  layers: { recent: {}, open_set: {}, semantic: {} }\n  intents: { catch_up: { layers: [recent] } }\n',
);
const OLD_CHAT = manifest(
  'name: chat, version: 2, scope_block_type: chat_session',
  '  layers: { recent: {} }\n',
);
const ORDER = manifest(
  'name: order, version: 1.10, scope_block_type: order',
  '  layers: { recent: {}, task: { text: "{{product}} {{tone}}" } }\n  inputs: { product: { required: true }, tone: { default: kind } }\n',
);
const DRAFT = manifest(
  'name: draft, version: 1, scope_block_type: book',
  '  layers: { semantic: {} }\n',
);
const CHECK = manifest(
  'name: check, version: 1, scope_block_type: book',
  '  layers: { open_set: {} }\n  intents: { continuity: { layers: [open_set] } }\n',
);

const CUSTOMER = collection(`apiVersion: contextengine.test/v1
kind: Collection
metadata: { name: customer, version: 1, description: Who buys. }
spec:
  properties:
    plan: { type: option, options: [free, pro] }
    seats: { type: int }
    since: { type: date }
    is_paying: { type: bool }
    tags: { type: array }
    contacts: { type: text, cardinality: many }
`);

const HEAD = `import { composeBlockContext, type ComposeRequest, type Composition, type ContextEngine, type PermissionProfile, type ScopeUuid } from 'contextengine';
declare const engine: ContextEngine;
declare const permission_profile: PermissionProfile;
declare const chat: ScopeUuid<'chat_session'>;
declare const order: ScopeUuid<'order'>;
declare const book: ScopeUuid<'book'>;
declare const user: ScopeUuid<'user'>;
declare const text: string;
const rest = { query: '', permission_profile };
`;

/** What compiles: null. Else what the first message says. */
const CASES: Readonly<Record<string, readonly [code: string, says: RegExp | null]>> = {
  'an intent of the manifest, and its layers': [
    `const { layers, items } = await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catch_up' });
     export const used: number = layers.recent.tokens + layers.system.tokens;
     export const names: readonly ('system' | 'pinned' | 'recent')[] = items.map((item) => item.layer);`,
    null,
  ],
  'a built-in intent': [
    `await engine.composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'recall_decision' });`,
    null,
  ],
  'the inputs of the manifest': [
    `await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact', inputs: { product: 'lamp', tone: 3 } });
     await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact', inputs: { product: true } });`,
    null,
  ],
  'a manifest by its name, with and without its version': [
    `await composeBlockContext({ ...rest, scope_block_uuid: text, manifest: 'check', intent: 'continuity' });
     await composeBlockContext({ ...rest, scope_block_uuid: text, manifest: 'check@1', intent: 'continuity' });
     await composeBlockContext({ ...rest, scope_block_uuid: chat, manifest: 'chat@2', intent: 'follow_up' });`,
    null,
  ],
  'one of several manifests of a scope type': [
    `const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: book, manifest: 'check', intent: 'continuity' });
     export const { open_set } = layers;`,
    null,
  ],
  'a scope and a manifest that the compiler does not know': [
    `const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: text, intent: text, inputs: { any: 1 } });
     export const maybe: unknown = layers['what'];
     await composeBlockContext({ ...rest, scope_block_uuid: chat, manifest: text, intent: 'what' });
     export const plain = (request: ComposeRequest): Promise<Composition> => composeBlockContext(request);`,
    null,
  ],
  'a scope id of a new scope': [
    `const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
     await engine.append(scope_block_uuid, { content: 'Hello' });
     await engine.composeBlockContext({ ...rest, scope_block_uuid, intent: 'catch_up' });`,
    null,
  ],
  'a call of an engine that is bound to a profile': [
    `const ada = engine.as(permission_profile);
     const { scope_block_uuid } = await ada.scopes.getOrCreate({ type: 'chat_session', key: 'c-1' });
     const { layers } = await ada.composeBlockContext({ scope_block_uuid, intent: 'catch_up', query: '' });
     export const { recent } = layers;`,
    null,
  ],
  'a profile in a call of an engine that is bound to one': [
    `await engine.as(permission_profile).composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catch_up', permission_profile });`,
    /'permission_profile' does not exist/,
  ],
  'a union of intents gives the layers of both': [
    `const intent = text === '' ? 'catch_up' : 'follow_up';
     const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: chat, intent });
     export const { semantic } = layers;`,
    null,
  ],

  'a profile, read and set': [
    `const dana = engine.profile(user, 'dana');
     const { customer } = await dana.get();
     export const plan: 'free' | 'pro' | undefined = customer.plan;
     export const contacts: readonly string[] = customer.contacts ?? [];
     export const paying: boolean = customer.is_paying === true && (customer.seats ?? 0) > 1;
     await dana.set({ customer: { ...customer, seats: 3, plan: null, since: '2026-05-01' } });
     await engine.as(permission_profile).profile(user, 'dana').set({ customer: { tags: ['a'] } });`,
    null,
  ],
  'a collection that there is not': [
    `await engine.profile(user, 'dana').set({ custommer: { seats: 3 } });`,
    /'custommer' does not exist .*Did you mean to write 'customer'/,
  ],
  'a property that its collection does not have': [
    `await engine.profile(user, 'dana').set({ customer: { seat: 3 } });`,
    /'seat' does not exist .*Did you mean to write 'seats'/,
  ],
  'a value of another type': [
    `await engine.profile(user, 'dana').set({ customer: { seats: 'three' } });`,
    /'string' is not assignable to type 'number'/,
  ],
  'an option that there is not': [
    `await engine.profile(user, 'dana').set({ customer: { plan: 'gold' } });`,
    /'"gold"' is not assignable/,
  ],
  'a wrong intent': [
    `await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catchup' });`,
    /'"catchup"' is not assignable to type .*Did you mean '"catch_up"'/,
  ],
  'a wrong intent, by the method of an engine': [
    `await engine.composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catchup' });`,
    /Did you mean '"catch_up"'/,
  ],
  'an intent of another manifest': [
    `await composeBlockContext({ ...rest, scope_block_uuid: text, manifest: 'draft', intent: 'continuity' });`,
    /'"continuity"' is not assignable to type '"compare" \| "creative"/,
  ],
  'an input of no manifest': [
    `await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'fact', inputs: { product: 'lamp' } });`,
    /'product' does not exist in type 'NoInputs'/,
  ],
  'a misspelled input': [
    `await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact', inputs: { product: 'lamp', tonne: 'kind' } });`,
    /'tonne' does not exist .*Did you mean to write 'tone'/,
  ],
  'a required input that is not there': [
    `await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact', inputs: { tone: 'kind' } });`,
    /Property 'product' is missing/,
  ],
  'no inputs where one is required': [
    `await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact' });`,
    /Property 'inputs' is missing/,
  ],
  'an input of a type that is none': [
    `await composeBlockContext({ ...rest, scope_block_uuid: order, intent: 'fact', inputs: { product: ['lamp'] } });`,
    /'string\[\]' is not assignable/,
  ],
  'a layer that the manifest has and the intent does not fire': [
    `const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catch_up' });
     export const { semantic } = layers;`,
    /Property 'semantic' does not exist/,
  ],
  'a wrong layer': [
    `const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'follow_up' });
     export const { semantics } = layers;`,
    /Property 'semantics' does not exist/,
  ],
  'a wrong manifest': [
    `await composeBlockContext({ ...rest, scope_block_uuid: text, manifest: 'chatt', intent: 'fact' });`,
    /'"chatt"' is not assignable .*Did you mean '"chat"'/,
  ],
  'a version that is not loaded': [
    `await composeBlockContext({ ...rest, scope_block_uuid: text, manifest: 'order@1.1', intent: 'fact', inputs: { product: 1 } });`,
    /'"order@1.1"' is not assignable .*"order@1.10"/,
  ],
  'a manifest of another scope type': [
    `await composeBlockContext({ ...rest, scope_block_uuid: chat, manifest: 'draft', intent: 'fact' });`,
    /'"draft"' is not assignable to type '"chat" \| "chat@2" \| "chat@3"/,
  ],
  'a scope type that several manifests serve, and none named': [
    `await composeBlockContext({ ...rest, scope_block_uuid: book, intent: 'fact' });`,
    /Property 'manifest' is missing/,
  ],
  'a scope type that no manifest serves': [
    `await composeBlockContext({ ...rest, scope_block_uuid: user, intent: 'fact' });`,
    /no manifest serves scopes of type user/,
  ],
  'a scope id of another type': [
    `const { scope_block_uuid } = await engine.scopes.create({ type: 'user' });
     export const id: ScopeUuid<'chat_session'> = scope_block_uuid;`,
    /is not assignable to type 'ScopeUuid<"chat_session">'/,
  ],
  'a field that does not exist': [
    `await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'fact', deadlineMs: 3 });`,
    /'deadlineMs' does not exist/,
  ],
  'no profile': [
    `await composeBlockContext({ query: '', scope_block_uuid: chat, intent: 'fact' });`,
    /Property 'permission_profile' is missing/,
  ],
};

const fileOf = (index: number): string => `case-${index}.mts`;

describe.each<Resolution>(['nodenext', 'bundler'])(
  'generated types, moduleResolution %s',
  (resolution) => {
    const cases = Object.entries(CASES);
    const modules = Object.fromEntries(
      cases.map(([, [code]], index) => [fileOf(index), HEAD + code]),
    );
    const declarations = declarationsOf({
      manifests: [CHAT, OLD_CHAT, ORDER, DRAFT, CHECK],
      collections: { customer: CUSTOMER },
    });
    const faults = compileModules(
      { ...modules, 'contextengine.gen.d.ts': declarations },
      resolution,
    );

    it('are themselves sound', () => {
      expect(faults['contextengine.gen.d.ts']).toEqual([]);
    });

    it.each(cases.map(([name, [, says]], index) => [name, says, fileOf(index)] as const))(
      '%s',
      (_name, says, file) => {
        const found = faults[file] ?? ['not compiled'];
        if (says === null) expect(found).toEqual([]);
        else expect(found[0]).toMatch(says);
      },
    );
  },
);

describe('without generated types', () => {
  it('every name is a text, as before', () => {
    const code = `${HEAD}
      const { layers } = await composeBlockContext({ ...rest, scope_block_uuid: chat, intent: 'catchup', inputs: { any: 1 } });
      export const { semantics } = layers;
      await engine.composeBlockContext({ ...rest, scope_block_uuid: user, manifest: 'any', intent: text });
      const values = await engine.profile(user, 'dana').get();
      export const plan: unknown = values['customer']?.['plan'];
      await engine.profile(user, 'dana').set({ customer: { plan: 'x', tags: ['a'], seats: null } });`;
    expect(compileModules({ 'plain.mts': code }, 'nodenext')).toEqual({ 'plain.mts': [] });
  });
});
