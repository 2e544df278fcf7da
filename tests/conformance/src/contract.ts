import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, header, json, answerMediaType, type Answer } from './answer.js';
import { defaultNames, type VendorNames } from './vendor-names.js';
import { readXml, elementValue, type XmlSchema } from './xml.js';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/openapi.yaml');
const ID = 'https://ringdown.invalid/openapi';

/** The interfaces, by the form of their errors. */
export type Interface = 'web' | 'token' | 'api' | 'feed';

const ERROR_OF: Readonly<Record<Interface, { readonly schema: string; readonly mediaTypes: readonly string[] }>> = {
  web: { schema: 'Reason', mediaTypes: ['application/json', `${defaultNames.mediaType}+json`] },
  token: { schema: 'TokenError', mediaTypes: ['application/json'] },
  api: { schema: 'Problem', mediaTypes: ['application/problem+json'] },
  feed: { schema: 'FeedRefusal', mediaTypes: ['text/xml'] },
};

const NAMES_IN_ANSWERS = [
  'challengeScheme',
  'identityScopeField',
  'grantPrefix',
  'versionHeader',
  'headerPrefix',
  'mediaType',
  'nativeMediaType',
  'xmlNamespace',
  'photoCookie',
] as const;

/**
 * `docs/openapi.yaml`, and checks of responses against it. Every check throws an Error that describes the difference.
 */
export class Contract {
  private static readonly known = new Map<VendorNames, Contract>();

  readonly document: unknown;
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  private readonly operations: ReadonlyMap<string, readonly [path: string, method: string]>;

  /** Cached: reading the document takes a while, and all clients of a suite use the same. */
  static for(names: VendorNames): Contract {
    const contract = this.known.get(names) ?? new Contract(names);
    this.known.set(names, contract);
    return contract;
  }

  constructor(private readonly names: VendorNames = defaultNames) {
    // The document is written for the default profile; another profile has other names for the same things.
    const text = NAMES_IN_ANSWERS.reduce(
      (yaml, key) => yaml.replaceAll(defaultNames[key], names[key]),
      readFileSync(DOCUMENT, 'utf8'),
    );
    this.document = parse(text);
    this.ajv.addSchema({ $id: ID, ...Object(closed(this.document)) });
    this.operations = operationsOf(this.document);
  }

  /** Checks that status, media type, headers and body of a response are described for the operation. */
  check(operationId: string, answer: Answer): void {
    const [path, method] =
      this.operations.get(operationId) ?? fail(`${operationId} is not an operation of the OpenAPI document`);
    const what = `${operationId} answered ${answer.status}`;
    const place = this.resolved(['paths', path, method, 'responses', String(answer.status)]);
    if (place === undefined) fail(`${what}, which OpenAPI does not know: ${answer.body.slice(0, 300)}`);
    this.checkHeaders(what, place, answer);
    this.checkBody(what, place, answer);
  }

  /** For requests that match no operation: a wrong method, an unknown path. */
  checkError(kind: Interface, answer: Answer): void {
    const { schema, mediaTypes } = ERROR_OF[kind];
    const own = mediaTypes.map((type) => type.replace(defaultNames.mediaType, this.names.mediaType));
    const what = `an error of the ${kind} interface, status ${answer.status}`;
    if (!own.includes(answerMediaType(answer)))
      fail(`${what}: is ${answerMediaType(answer)}: ${answer.body.slice(0, 300)}`);
    this.validate(what, ['components', 'schemas', schema], answer);
  }

  /** Plain data against a schema of the document. */
  checkValue(schema: string, value: unknown): void {
    this.validateValue(schema, ['components', 'schemas', schema], value);
  }

  private checkHeaders(what: string, place: readonly string[], answer: Answer): void {
    for (const [name, declared] of Object.entries(at(this.document, ...place, 'headers') ?? {})) {
      const headerPlace = this.resolved([...place, 'headers', name]) ?? [];
      const value = header(answer, name);
      const { required } = Object(at(this.document, ...headerPlace) ?? declared);
      if (value !== undefined) this.validateValue(`${what}, header ${name}`, [...headerPlace, 'schema'], value);
      else if (required === true) fail(`${what} without the header ${name}`);
    }
  }

  private checkBody(what: string, place: readonly string[], answer: Answer): void {
    const content = Object.keys(at(this.document, ...place, 'content') ?? {});
    const mediaType = answerMediaType(answer);
    if (content.length === 0) {
      if (answer.body !== '') fail(`${what} with a body: ${answer.body.slice(0, 300)}`);
      return;
    }
    if (!content.includes(mediaType)) fail(`${what} as ${mediaType || 'nothing'}; OpenAPI: ${content.join(', ')}`);
    this.validate(`${what} as ${mediaType}`, [...place, 'content', mediaType, 'schema'], answer);
  }

  private validate(what: string, place: readonly string[], answer: Answer): void {
    const mediaType = answerMediaType(answer);
    if (mediaType.endsWith('xml')) this.validateValue(what, place, this.valueOfXml(what, place, answer.body));
    // NDJSON has one document on every line, so it is not parsed as a whole.
    else this.validateValue(what, place, /[/+]json$/.test(mediaType) ? json(answer) : answer.body);
  }

  private valueOfXml(what: string, place: readonly string[], body: string): unknown {
    const schema = this.schemaAt(place);
    const root = readXml(body);
    const name = schema.xml?.name;
    if (root.name !== name) fail(`${what}: the root element is ${root.name}, not ${name}`);
    return elementValue(root, schema, (ref) => this.schemaAt(pointerSteps(ref)));
  }

  private schemaAt(place: readonly string[]): XmlSchema {
    return Object(at(this.document, ...(this.resolved(place) ?? [])));
  }

  private validateValue(what: string, place: readonly string[], value: unknown): void {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = this.ajv.getSchema(`${ID}#/${pointer.join('/')}`) ?? fail(`no schema at ${place.join('/')}`);
    if (validate(value) !== true) fail(`${what}: ${problems(validate.errors)} in ${JSON.stringify(value)}`);
  }

  /** Follows `$ref` at the end of the path; undefined when the target does not exist. */
  private resolved(place: readonly string[]): readonly string[] | undefined {
    const found = at(this.document, ...place);
    if (found === undefined) return undefined;
    const ref = at(found, '$ref');
    return typeof ref === 'string' ? this.resolved(pointerSteps(ref)) : place;
  }
}

function pointerSteps(ref: string): readonly string[] {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function operationsOf(document: unknown): ReadonlyMap<string, readonly [string, string]> {
  const paths = Object.entries(at(document, 'paths') ?? {});
  return new Map(
    paths.flatMap(([path, item]) =>
      Object.entries(Object(item)).flatMap(([method, operation]): [string, readonly [string, string]][] => {
        const id = at(operation, 'operationId');
        return typeof id === 'string' ? [[id, [path, method]]] : [];
      }),
    ),
  );
}

/** Clients ignore unknown fields; this suite requires them to be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isOpen = 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function problems(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

function fail(message: string): never {
  throw new Error(message);
}
