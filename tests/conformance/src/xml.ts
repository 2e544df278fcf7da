import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element with its attributes and children by local name. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
});

/** Throws an Error when the text is not a well-formed document. */
export function readXml(text: string): XmlElement {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`not well-formed (${valid.err.msg}): ${text.slice(0, 300)}`);
  const [root] = elements(parser.parse(text));
  if (root === undefined) throw new Error(`no root element: ${text.slice(0, 300)}`);
  return root;
}

export function children({ children: all }: XmlElement, name: string): readonly XmlElement[] {
  return all.filter((child) => child.name === name);
}

function elements(nodes: unknown): readonly XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: Readonly<Record<string, unknown>>) => {
    const [name, content] = Object.entries(node).find(([key]) => key !== ':@') ?? ['#text', ''];
    if (name.startsWith('#') || name.startsWith('?')) return [];
    const attributes = Object.fromEntries(Object.entries(node[':@'] ?? {}).map(([key, value]) => [key, String(value)]));
    return [{ name, attributes, children: elements(content), text: textIn(content) }];
  });
}

function textIn(nodes: unknown): string {
  if (!Array.isArray(nodes)) return '';
  return nodes
    .map((node: Readonly<Record<string, unknown>>) => node['#text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** The parts of an OpenAPI schema that describe the form of a value in XML. */
export interface XmlSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, XmlSchema>>;
  readonly items?: XmlSchema;
  readonly xml?: { readonly name?: string; readonly attribute?: boolean; readonly 'x-text'?: boolean };
}

/**
 * The value of an element according to its schema: attributes and children become properties, children of a list become
 * a list, text becomes a value of the type. A part that the schema does not describe becomes `?name`, so that the check
 * fails.
 */
export function elementValue(element: XmlElement, given: XmlSchema, resolve: (ref: string) => XmlSchema): unknown {
  const schema = given.$ref === undefined ? given : resolve(given.$ref);
  if (schema.properties === undefined) return scalar(element.text, schema);
  const entries = Object.entries(schema.properties).flatMap(([key, inner]): [string, unknown][] => {
    const property = inner.$ref === undefined ? inner : resolve(inner.$ref);
    if (inner.xml?.attribute) {
      const value = element.attributes[key];
      return value === undefined ? [] : [[key, scalar(value, property)]];
    }
    if (inner.xml?.['x-text']) return [[key, scalar(element.text, property)]];
    const found = children(element, key);
    if (found.length === 0) return [];
    const { items } = property;
    const values = found.map((child) => elementValue(child, items ?? property, resolve));
    return [[key, items !== undefined || values.length > 1 ? values : values[0]]];
  });
  const known = schema.properties;
  const unexpected = [...Object.keys(element.attributes), ...element.children.map(({ name }) => name)]
    .filter((name) => !Object.hasOwn(known, name) && !name.startsWith('xmlns'))
    .map((name): [string, unknown] => [`?${name}`, true]);
  return Object.fromEntries([...entries, ...unexpected]);
}

function scalar(text: string, { type }: XmlSchema): string | number {
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}
