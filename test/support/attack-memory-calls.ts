/** Generated calls of what makes and corrects memory, and of scopes under keys. */
import type { Form, Need } from './attack-calls.ts';
import type { Right } from './attack-model.ts';

const need = (right: Right, on: Need['on'] = 'target'): Need => ({ right, on });
const unsure = (form: Omit<Form, 'isSure'>): Form => ({ isSure: false, ...form });

const FACT_FORMS: readonly Form[] = [
  unsure({
    entry: 'facts.list',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options, dice }) => {
      const asked = [
        { scope: target.scope, state: dice.of(['current', 'past', 'retired', 'all'] as const) },
        { scope: target.scope, source: dice.of([target.turn, target.scope]) },
        { scope: target.scope, limit: 1 },
      ];
      return engine.facts.list(dice.of(asked), options);
    },
  }),
  unsure({
    entry: 'costs.list',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.costs.list({ scope: target.scope }, options),
  }),
  unsure({
    entry: 'captures.list',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.captures.list({ scope: target.scope }, options),
  }),
  unsure({
    entry: 'captures.progress',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.captures.progress(target.scope, options),
  }),
  unsure({
    entry: 'jobs.list',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.jobs.list({ scope: target.scope }, options),
  }),
  // Without a scope: what is told of is what the caller reads.
  unsure({
    entry: 'jobs.list',
    needs: [need('none')],
    writes: null,
    call: ({ engine, options }) => engine.jobs.list({}, options),
  }),
  unsure({
    entry: 'keyedDigests',
    needs: [need('none')],
    writes: null,
    call: async ({ engine, target, options }) => {
      const digests = await engine.keyedDigests(options);
      return [
        await digests.isEarlierScope(target.scope),
        await digests.forgotten(target.scope, { uuids: [target.fact], keys: ['k'] }),
      ];
    },
  }),
  // Without a scope: what is told of is what the caller reads.
  unsure({
    entry: 'facts.list',
    needs: [need('none')],
    writes: null,
    call: ({ engine, options }) => engine.facts.list({ state: 'all' }, options),
  }),
  unsure({
    entry: 'facts.get',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.facts.get(target.fact, options),
  }),
  unsure({
    entry: 'facts.history',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.facts.history(target.fact, options),
  }),
  unsure({
    entry: 'facts.search',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options, dice }) =>
      engine.facts.search(dice.of(['safe', 'city']), { scope: target.scope }, options),
  }),
  unsure({
    entry: 'facts.update',
    needs: [need('derived')],
    writes: 'target',
    call: ({ engine, target, options }) =>
      engine.facts.update(target.fact, { content: 'otherwise' }, options),
  }),
];

/** A text that stands so already is no change, and nobody is refused. */
const MANY = 2 ** 31;
const CORE_FORMS: readonly Form[] = [
  unsure({
    entry: 'core.show',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.core.show(target.scope, options),
  }),
  unsure({
    entry: 'core.add',
    needs: [need('read'), need('derived')],
    writes: 'target',
    call: ({ engine, target, options, dice }) =>
      engine.core.add(target.scope, `rule ${dice.roll(4)}`, options),
  }),
  unsure({
    entry: 'core.edit',
    needs: [need('read'), need('derived')],
    writes: 'target',
    call: ({ engine, target, options, dice }) =>
      engine.core.edit(target.scope, `rule ${dice.roll(MANY)}`, options),
  }),
  // The scope of the caller more often lets them.
  unsure({
    entry: 'core.edit',
    needs: [need('read', 'own'), need('derived', 'own')],
    writes: 'own',
    call: ({ engine, own, options, dice }) =>
      engine.core.edit(own.scope, `rule ${dice.roll(MANY)}`, options),
  }),
  unsure({
    entry: 'core.drop',
    needs: [need('read'), need('derived')],
    writes: 'target',
    // What is passed changes while the first call runs: the second has the claim as it was.
    call: async ({ engine, target, options, dressed }) => {
      await engine.core.edit(target.scope, 'one\ntwo', options);
      return engine.core.drop(target.scope, 1, { permission_profile: dressed });
    },
  }),
];

/** One entry with two methods; a change that stands so already writes nothing. */
const PROFILE_FORMS: readonly Form[] = [
  unsure({
    entry: 'profile',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options, dice }) =>
      engine.profile(target.scope, dice.of(['user', 'order-17'])).get(options),
  }),
  unsure({
    entry: 'profile',
    needs: [need('derived')],
    writes: 'target',
    call: ({ engine, target, options, dice, later }) => {
      const values = { profile: { mood: dice.of(['calm', 'glad', null]) } };
      later.push(() => Object.assign(values, { profile: { city: 'Oslo' } }));
      return engine.profile(target.scope, 'user').set(values, options);
    },
  }),
  unsure({
    entry: 'profile',
    needs: [need('derived', 'own'), need('read')],
    writes: 'own',
    call: ({ engine, own, target, options, dice }) => {
      const values = { profile: { mood: dice.of(['calm', 'glad']) } };
      const from = { ...options, sources: [target.version] };
      return engine.profile(own.scope, 'user').set(values, from);
    },
  }),
];

export const MEMORY_FORMS: readonly Form[] = [
  unsure({
    entry: 'ingest',
    needs: [need('raw')],
    writes: 'target',
    call: ({ engine, target, options, dice }) => {
      const source = { name: `note-${dice.roll(3)}.md`, content: 'A document.' };
      return engine.ingest(target.scope, source, options);
    },
  }),
  unsure({
    entry: 'documents',
    needs: [need('read')],
    writes: null,
    call: ({ engine, target, options }) => engine.documents(target.scope, options),
  }),
  unsure({
    entry: 'documents',
    needs: [need('read', 'own')],
    writes: null,
    call: ({ engine, own, options }) => engine.documents(own.scope, options),
  }),
  unsure({
    entry: 'scopes.find',
    needs: [need('none')],
    writes: null,
    call: ({ engine, options, dice }) => engine.scopes.find(`key ${dice.roll(4)}`, options),
  }),
  unsure({
    entry: 'scopes.getOrCreate',
    needs: [need('none')],
    writes: null,
    call: ({ engine, options, dice }) => {
      const input = { type: 'notes_scope', key: `key ${dice.roll(4)}`, title: `t${dice.roll(3)}` };
      return engine.scopes.getOrCreate(input, options);
    },
  }),
  unsure({
    entry: 'scopes.getOrCreate',
    needs: [need('none'), need('read')],
    writes: null,
    call: ({ engine, target, options }) => {
      const input = { type: 'notes_scope', key: 'inherits', inherits: [target.scope] };
      return engine.scopes.getOrCreate(input, options);
    },
  }),
  // Who may only propose captures as well: all that it finds waits.
  unsure({
    entry: 'capture',
    needs: [need('read')],
    writes: 'target',
    call: ({ engine, target, options }) => engine.capture(target.scope, {}, options),
  }),
  ...FACT_FORMS,
  ...CORE_FORMS,
  ...PROFILE_FORMS,
  unsure({
    entry: 'correct',
    needs: [need('derived')],
    writes: 'target',
    call: ({ engine, target, options, dice }) =>
      engine.correct(dice.of([target.fact, target.turn]), { content: 'never so' }, options),
  }),
  // Whose fact it was, and whether anything is left of it, the other calls decide.
  unsure({
    entry: 'undo',
    needs: [need('derived')],
    writes: 'target',
    call: ({ engine, target, options }) => engine.undo(target.operation, options),
  }),
];
