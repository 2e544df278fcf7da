const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const anything = {};
const schema = { type: ['object', 'boolean'] };

/** An object with only these members: a misspelled member would otherwise be ignored silently. */
function object(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function mapSchema(values: object): object {
  return { type: 'object', additionalProperties: values, minProperties: 1 };
}

/** The object itself, or a reference to it. */
function orReference(kind: string): object {
  const reference = object({ $ref: { type: 'string', pattern: '^#/components/' } }, ['$ref']);
  return { anyOf: [reference, { $ref: `#/$defs/${kind}` }] };
}

const parameter = {
  name: text,
  in: { enum: ['path', 'query', 'header'] },
  description: text,
  required: { const: true },
  schema,
  example: anything,
  style: { const: 'form' },
  explode: { type: 'boolean' },
};

const operation = {
  operationId: { type: 'string', pattern: '^[a-z][A-Za-z]+$' },
  tags: texts,
  summary: text,
  description: text,
  security: { type: 'array', items: mapSchema({ type: 'array', maxItems: 0 }) },
  parameters: { type: 'array', items: orReference('parameter') },
  requestBody: object({ description: text, required: { type: 'boolean' }, content: { $ref: '#/$defs/content' } }, [
    'content',
  ]),
  responses: {
    type: 'object',
    propertyNames: { pattern: '^[2-5][0-9]{2}$' },
    additionalProperties: orReference('response'),
    minProperties: 1,
  },
};

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The part of OpenAPI 3.1 (specification, section 4.8) that this project uses, as a JSON Schema; schemas are left to
 * ajv.
 */
export const openApiShape = {
  ...object(
    {
      openapi: { type: 'string', pattern: '^3\\.1\\.\\d$' },
      info: object({ title: text, version: text, description: text, license: mapSchema(text) }, ['title', 'version']),
      servers: { $ref: '#/$defs/servers' },
      tags: { type: 'array', items: object({ name: text, description: text }, ['name']) },
      security: operation.security,
      paths: {
        type: 'object',
        propertyNames: { pattern: '^/' },
        additionalProperties: object({
          servers: { $ref: '#/$defs/servers' },
          parameters: operation.parameters,
          ...Object.fromEntries(methods.map((method) => [method, { $ref: '#/$defs/operation' }])),
        }),
      },
      components: object({
        securitySchemes: mapSchema({ type: 'object', required: ['type'] }),
        parameters: mapSchema({ $ref: '#/$defs/parameter' }),
        headers: mapSchema({ $ref: '#/$defs/header' }),
        responses: mapSchema({ $ref: '#/$defs/response' }),
        schemas: mapSchema(schema),
      }),
    },
    ['openapi', 'info', 'paths'],
  ),
  $defs: {
    servers: { type: 'array', minItems: 1, items: object({ url: text, description: text }, ['url']) },
    operation: object(operation, ['operationId', 'tags', 'summary', 'responses']),
    parameter: {
      ...object(parameter, ['name', 'in', 'schema']),
      anyOf: [{ properties: { in: { not: { const: 'path' } } } }, { required: ['required'] }],
    },
    header: object({ description: text, required: { type: 'boolean' }, schema, example: anything }, ['schema']),
    response: object(
      { description: text, headers: mapSchema(orReference('header')), content: { $ref: '#/$defs/content' } },
      ['description'],
    ),
    content: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+/[a-z0-9.+-]+$' },
      additionalProperties: object(
        { schema, example: anything, examples: mapSchema(object({ summary: text, value: anything }, ['value'])) },
        ['schema'],
      ),
      minProperties: 1,
    },
  },
};
