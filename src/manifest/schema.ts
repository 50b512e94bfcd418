/**
 * The published JSON Schema of manifests, v1, as data. `scripts/generate-schema.mjs` writes it to
 * `manifests/schema/v1.json` for editors and compiles it to `generated/validate.js`, so that
 * nothing is compiled, and no validator is installed, at run time.
 */
import { anyLayer, layerDefinitions, layersSchema } from './schema-layer.ts';
import { specDefinitions, specSchema } from './schema-spec.ts';
import { type JsonSchema, list, MANIFEST_NAME, NAME, object, text } from './schema-values.ts';

const X_KEYS = { '^x-': { description: 'Yours; never read.' } };

const API_VERSION = text(
  'A group of your own that begins with `contextengine`, and the version: ' + 'contextengine/v1.',
  {
    type: 'string',
    pattern: '^contextengine([.-]?[A-Za-z0-9]+)*/v1$',
    patternErrorMessage: 'a group that begins with `contextengine`, then `/v1`',
  },
);
const VERSION = {
  type: ['string', 'number'],
  description: 'Version of this file, kept with every composition. Absent: 0, with a warning.',
};

const document = (
  kind: string,
  description: string,
  parts: { metadata: JsonSchema; spec: JsonSchema },
): JsonSchema => ({
  type: 'object',
  description,
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    apiVersion: API_VERSION,
    kind: {
      const: kind,
      description: 'ContextDomain: what one feature needs. Collection: typed properties.',
    },
    ...parts,
  },
  patternProperties: X_KEYS,
  additionalProperties: false,
});

const contextDomain = (layers: JsonSchema): JsonSchema =>
  document(
    'ContextDomain',
    'What one feature needs to know: layers, budget, scoring and permission.',
    {
      metadata: object(
        'What the manifest is called, and whom it serves.',
        {
          name: text('The name that calls and traces use.', MANIFEST_NAME),
          version: VERSION,
          scope_block_type: text(
            'The type of scope that this manifest serves, such as chat_session.',
            MANIFEST_NAME,
          ),
          description: text('One sentence for a reader.'),
        },
        { required: ['name', 'scope_block_type'], isOpen: true },
      ),
      spec: specSchema(layers),
    },
  );

const property = object(
  'A typed property.',
  {
    type: text('text, int, date (ISO 8601), bool, option (one of `options`) or array.', {
      type: 'string',
      enum: ['text', 'int', 'date', 'bool', 'option', 'array'],
    }),
    options: list(undefined, 'What an option may be.'),
    cardinality: text(
      'one: a new value takes the place of the old. many: values stand side by side.',
      {
        type: 'string',
        enum: ['one', 'many'],
        default: 'one',
      },
    ),
    description: text('What the property says, for whoever fills it.'),
    patterns: {
      type: 'array',
      description:
        'Sentences that state it, for capture: words around one `{value}`, from the beginning ' +
        'of the sentence, as in "my name is {value}".',
      items: {
        type: 'string',
        pattern: '^[^{}]*\\{value\\}[^{}]*$',
        patternErrorMessage: 'words around one `{value}`',
      },
    },
    words: {
      type: 'object',
      description: 'What a value is also called, in lower case: { german: de }.',
      additionalProperties: { type: 'string' },
    },
  },
  { required: ['type'] },
);

const collection = document(
  'Collection',
  'Typed properties of a subject, such as a user or a book.',
  {
    metadata: object(
      'What the collection is called.',
      {
        name: text('The name that layers and values use.', NAME),
        version: VERSION,
        description: text('One sentence for a reader.'),
      },
      { required: ['name'], isOpen: true },
    ),
    spec: object(
      'What it declares.',
      {
        properties: {
          type: 'object',
          description: 'Properties by name.',
          propertyNames: NAME,
          additionalProperties: property,
          minProperties: 1,
        },
      },
      { required: ['properties'], isOpen: true },
    ),
  },
);

/** Identifies the schema; nothing is fetched from it. */
export const SCHEMA_ID = 'https://contextengine.dev/schema/v1.json';

const schema = (
  layers: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: SCHEMA_ID,
  title: 'contextengine manifest v1',
  description: 'A YAML file of kind ContextDomain or Collection.',
  oneOf: [{ $ref: '#/definitions/context_domain' }, { $ref: '#/definitions/collection' }],
  definitions: {
    context_domain: contextDomain(layers),
    collection,
    ...specDefinitions,
    ...definitions,
  },
});

/** JSON Schema draft-07 of both kinds. */
export const manifestSchema: JsonSchema = schema(
  layersSchema((kind) => ({ $ref: `#/definitions/layer_${kind}` })),
  layerDefinitions,
);

/**
 * What the validator is generated from: as {@link manifestSchema}, but for one definition for all
 * layers (335 KB of code would be 15 copies of it).
 */
export const shapeSchema: JsonSchema = schema(
  layersSchema(() => ({ $ref: '#/definitions/layer_any' })),
  { layer_any: anyLayer, layer_named: { ...anyLayer, type: 'object', required: ['kind'] } },
);
