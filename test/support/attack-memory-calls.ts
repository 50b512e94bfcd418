/** Generated calls of what makes and corrects memory, and of scopes under keys. */
import type { Form, Need } from './attack-calls.ts';
import type { Right } from './attack-model.ts';

const need = (right: Right, on: Need['on'] = 'target'): Need => ({ right, on });
const unsure = (
  entry: string,
  needs: readonly Need[],
  writes: Form['writes'],
  call: Form['call'],
): Form => ({ entry, needs, isSure: false, writes, call });

export const MEMORY_FORMS: readonly Form[] = [
  unsure('scopes.find', [need('none')], null, ({ engine, options, dice }) =>
    engine.scopes.find(`key ${dice.roll(4)}`, options),
  ),
  unsure('scopes.getOrCreate', [need('none')], null, ({ engine, options, dice }) => {
    const input = { type: 'notes_scope', key: `key ${dice.roll(4)}`, title: `t${dice.roll(3)}` };
    return engine.scopes.getOrCreate(input, options);
  }),
  unsure('scopes.getOrCreate', [need('none'), need('read')], null, (asked) => {
    const { engine, target, options } = asked;
    const input = { type: 'notes_scope', key: 'inherits', inherits: [target.scope] };
    return engine.scopes.getOrCreate(input, options);
  }),
  // Who may only propose captures as well: all that it finds waits.
  unsure('capture', [need('read')], 'target', ({ engine, target, options }) =>
    engine.capture(target.scope, {}, options),
  ),
  unsure('correct', [need('derived')], 'target', ({ engine, target, options, dice }) =>
    engine.correct(dice.of([target.fact, target.turn]), { content: 'never so' }, options),
  ),
];
