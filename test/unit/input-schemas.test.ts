/**
 * The schemas of public inputs: what is generated of them, and that every refusal is in the words
 * of its caller.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMBEDDERS, generateInputs } from '../../scripts/generate-schema.mjs';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { optionsSchema } from '../../src/inference/provider.ts';
import { PROVIDERS } from '../../src/inference/providers.ts';
import { checkInput } from '../../src/inputs/check-input.ts';
import { REQUEST_SCHEMAS } from '../../src/inputs/request-schemas.ts';
import { RULES } from '../../src/inputs/rules.ts';
import type { InputSchema } from '../../src/inputs/schema.ts';
import { INPUT_SCHEMAS, type InputName } from '../../src/inputs/schemas.ts';
import { STORED_SCHEMAS } from '../../src/inputs/stored-schemas.ts';
import { ROOT } from '../support/source-files.ts';

// Every name of the record is one of its keys.
const NAMES = Object.keys(INPUT_SCHEMAS) as InputName[];
const schemaOf = (name: InputName): InputSchema => INPUT_SCHEMAS[name];

const refusalOf = (name: InputName, value: unknown): ContextEngineError | null => {
  try {
    checkInput(name, value);
    return null;
  } catch (error) {
    if (error instanceof ContextEngineError) return error;
    throw error;
  }
};

describe('the validators', () => {
  const options = PROVIDERS.map((provider) => [provider.name, optionsSchema(provider)] as const);
  it.each(
    Object.entries({
      ...generateInputs({ ...INPUT_SCHEMAS, ...STORED_SCHEMAS, ...REQUEST_SCHEMAS }),
      ...generateInputs(Object.fromEntries(options), EMBEDDERS),
    }),
  )('%s is what the schemas generate', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8') === text, `${path} is stale`).toBe(true);
  });

  it('have a rule for each keyword that JSON Schema does not know', () => {
    const asked = readFileSync(join(ROOT, 'src/inputs/generated/validate.js'), 'utf8');
    const keywords = new Set([...asked.matchAll(/this\.(\w+)\(/g)].map((match) => match[1]));
    expect([...keywords].sort()).toEqual(Object.keys(RULES).sort());
  });
});

describe('a refusal', () => {
  it.each(NAMES)('of what is no %s: what it is, and its fields', (name) => {
    for (const value of [undefined, null, 3, 'a', [], new Date(0)]) {
      const refusal = refusalOf(name, value);
      expect(refusal?.code).toBe(schemaOf(name).shapeCode ?? 'CONFIG.INVALID_VALUE');
      expect(refusal?.message).toContain(`The ${schemaOf(name).what} is`);
    }
  });

  it.each(NAMES)('of a field that %s does not have: the nearest', (name) => {
    const [field = ''] = Object.keys(schemaOf(name).properties);
    const refusal = refusalOf(name, { [`${field}x`]: 1 });
    expect(refusal?.code).toBe(schemaOf(name).shapeCode ?? 'CONFIG.UNKNOWN_KEY');
    expect(refusal?.message).toContain(`\`${field}x\``);
    expect(refusal?.message).toContain('Did you mean');
  });

  it('names the field, and no operation or column', () => {
    const cases = NAMES.flatMap((name) =>
      Object.keys(schemaOf(name).properties).map((field) => [name, field] as const),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.oneof(fc.anything(), fc.string({ unit: 'binary', maxLength: 300 }), fc.double()),
        ([name, field], value) => {
          const required = schemaOf(name).required.filter((other) => other !== field);
          const refusal = refusalOf(name, { [field]: value });
          if (refusal === null || required.length > 0) return;
          expect(refusal.message).toContain(`\`${field}\``);
          expect(refusal.fix).not.toBe('');
          expect(`${refusal.message} ${refusal.fix}`).not.toMatch(/operation|column|undefined is/);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
