import { Ajv2020 } from 'ajv/dist/2020.js';
import { at } from './answer.js';
import { Contract } from './contract.js';
import { openApiShape } from './openapi-shape.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
}

describe('docs/openapi.yaml', () => {
  const contract = new Contract();
  const { document } = contract;
  const operations: readonly Operation[] = Object.entries(at(document, 'paths') ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => at(item, method) !== undefined).map((method) => ({
      path,
      method,
      operation: at(item, method),
    })),
  );

  it('is OpenAPI 3.1, without members that OpenAPI does not define', () => {
    const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(openApiShape);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    for (const wrong of [{ paths: undefined }, { sumary: 'x' }, { paths: { '/': { get: {} } } }, { openapi: '3.0.3' }])
      expect(validate({ ...Object(document), ...wrong })).toBe(false);
  });

  it('has only valid JSON Schemas, without keywords that JSON Schema does not define', () => {
    const compile = (schemas: readonly unknown[]): unknown => {
      const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, validateFormats: false });
      // Keywords of OpenAPI itself, and the place that references point to.
      ajv.addVocabulary(['example', 'xml', 'components']);
      return ajv.compile({ components: at(document, 'components'), anyOf: schemas });
    };
    const schemas = schemasIn(document);
    expect(schemas.length).toBeGreaterThan(60);
    expect(() => compile(schemas)).not.toThrow();
    expect(() => compile([{ tpye: 'string' }])).toThrow('tpye');
    expect(() => compile([{ $ref: '#/components/schemas/Nothing' }])).toThrow('Nothing');
  });

  it('has a unique name and a summary for each operation', () => {
    const ids = operations.map(({ operation }) => at(operation, 'operationId'));
    expect(new Set(ids).size).toBe(operations.length);
    for (const { operation } of operations) expect(at(operation, 'summary')).toMatch(/./);
  });

  it('has no broken reference, and no unused component', () => {
    const refs = refsIn(document);
    for (const ref of refs) expect([ref, at(document, ...referenceSteps(ref))]).not.toEqual([ref, undefined]);
    const components = Object.entries(at(document, 'components') ?? {}).flatMap(([kind, all]) =>
      kind === 'securitySchemes' ? [] : Object.keys(Object(all)).map((name) => `#/components/${kind}/${name}`),
    );
    // The data of server-sent events, which OpenAPI cannot refer to.
    const used = [...refs, '#/components/schemas/CallsInProgress'];
    expect(
      components.filter((component) => !used.some((ref) => ref === component || ref.startsWith(`${component}/`))),
    ).toEqual([]);
  });

  it('declares the parameters of its paths', () => {
    for (const { path, operation } of operations) {
      const declared = [at(document, 'paths', path, 'parameters'), at(operation, 'parameters')].flatMap((list) =>
        Array.isArray(list) ? list.map((each) => resolved(document, each)) : [],
      );
      const inPath = declared.filter((each) => at(each, 'in') === 'path').map((each) => at(each, 'name'));
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it('describes the content of every response of every operation', () => {
    for (const { operation } of operations) {
      const id = at(operation, 'operationId');
      for (const [status, response] of Object.entries(at(operation, 'responses') ?? {})) {
        const { description, content, headers } = Object(resolved(document, response));
        expect([id, status, typeof description]).toEqual([id, status, 'string']);
        // A created resource with a Location need not be in the response to its creation.
        const isElsewhere = status === '201' && content === undefined && at(headers, 'Location') !== undefined;
        if (status === '204' || status === '304' || isElsewhere) continue;
        for (const [type, media] of Object.entries(content)) {
          expect([id, status, type, typeof at(media, 'schema')]).toEqual([id, status, type, 'object']);
        }
      }
    }
  });

  it('describes the response without a token for every operation that needs one', () => {
    for (const { operation } of operations) {
      const anonymous = JSON.stringify(at(operation, 'security')) === '[]';
      expect([at(operation, 'operationId'), at(operation, 'responses', '401') === undefined]).toEqual([
        at(operation, 'operationId'),
        anonymous,
      ]);
    }
  });

  it('has examples that match their schemas', () => {
    let checked = 0;
    for (const { operation } of operations) {
      const id = String(at(operation, 'operationId'));
      for (const [status, response] of Object.entries(at(operation, 'responses') ?? {})) {
        const content = Object.entries(at(resolved(document, response), 'content') ?? {});
        for (const [type, media] of content) {
          const example = at(media, 'example');
          if (example === undefined || !/json|xml/.test(type)) continue;
          const body = typeof example === 'string' ? example : JSON.stringify(example);
          const challenge = 'RingdownOAuth href="https://h/t",grant_type="password", Bearer realm="uc"';
          const headers = { 'content-type': type, 'www-authenticate': challenge };
          contract.check(id, { status: Number(status), headers, body });
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(10);
  });

  it('has example requests that match their schemas', () => {
    const body = at(document, 'paths', '/uc/v1/applications', 'post', 'requestBody', 'content', 'application/json');
    contract.checkValue('ApplicationInput', at(body, 'example'));
    expect(() => contract.checkValue('ApplicationInput', {})).toThrow("'culture'");
  });
});

/** Everything under the key `schema`, and all named schemas. */
function schemasIn(document: unknown): readonly unknown[] {
  const named = Object.values(at(document, 'components', 'schemas') ?? {});
  return [...named, ...valuesOfKey('schema', document)];
}

function valuesOfKey(wanted: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === wanted ? [inner] : valuesOfKey(wanted, inner)));
}

function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

function referenceSteps(ref: string): readonly string[] {
  return ref.replace(/^#\//, '').split('/');
}

function resolved(document: unknown, value: unknown): unknown {
  const ref = at(value, '$ref');
  return typeof ref === 'string' ? resolved(document, at(document, ...referenceSteps(ref))) : value;
}
