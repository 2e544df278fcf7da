import { InterfaceError } from '@ringdown/http-server';
import { reasons } from '@ringdown/hypermedia';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Entities stay as they are written: the parser knows only some, so they are resolved here. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  processEntities: false,
  cdataPropName: '#cdata',
  commentPropName: '#comment',
});

type Node = Readonly<Record<string, unknown>>;

/**
 * Reads `<input><property name="…">text</property><propertyList name="…"><item>text</item></propertyList></input>`
 * (web-interface.md, sections 3 and 9); the root may be `resource` as well. What `<link rel="…" href="…"/>` says stands in
 * `_links`, as JSON has it: an object by relation, or a list of them where the relation is repeated. Other elements are left out.
 * Throws {@link InterfaceError} `DeserializationFailure`.
 */
export function readXmlInput(xml: string): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  const children = childrenOf(rootOf(xml));
  for (const node of children) {
    const [element] = elementName(node);
    if (element !== 'property' && element !== 'propertyList') continue;
    const name = attribute(node, 'name');
    if (name === undefined) unreadable(`A ${element} needs a name.`);
    if (values.has(name)) unreadable(`${name} is given more than once.`);
    const content = childrenOf(node);
    values.set(name, element === 'property' ? textOf(content) : itemsOf(content));
  }
  const links = linksOf(children.filter((node) => elementName(node)[0] === 'link'));
  return { ...Object.fromEntries(values), ...(links.size === 0 ? {} : { _links: Object.fromEntries(links) }) };
}

function linksOf(nodes: readonly Node[]): ReadonlyMap<string, unknown> {
  const links = new Map<string, { readonly href: string }[]>();
  for (const node of nodes) {
    const [rel, href] = [attribute(node, 'rel'), attribute(node, 'href')];
    if (rel === undefined || href === undefined) unreadable('A link needs rel and href.');
    links.set(rel, [...(links.get(rel) ?? []), { href }]);
  }
  return new Map(Array.from(links, ([rel, all]) => [rel, all.length === 1 ? all[0] : all]));
}

function rootOf(xml: string): Node {
  if (/<!DOCTYPE/i.test(xml)) unreadable('A document type is not read here.');
  if (XMLValidator.validate(xml) !== true) unreadable('The body is not well-formed XML.');
  let nodes: unknown;
  try {
    nodes = parser.parse(xml);
  } catch (cause) {
    throw new InterfaceError(reasons.deserializationFailure, {
      message: 'The body is not XML of this interface.',
      cause,
    });
  }
  const [root, second] = nodeList(nodes).filter((node) => /^[^#?]/.test(elementName(node)[0]));
  if (root === undefined || second !== undefined) unreadable('One element input is expected.');
  if (!['input', 'resource'].includes(elementName(root)[0])) unreadable('The root element must be input.');
  return root;
}

function itemsOf(nodes: readonly Node[]): string[] {
  return nodes.filter((node) => elementName(node)[0] === 'item').map((node) => textOf(childrenOf(node)));
}

function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => textNode(node)).join('');
}

function textNode(node: Node): string {
  const [name, content] = elementName(node);
  if (name === '#text') return resolved(String(content));
  if (name === '#comment') return '';
  if (name !== '#cdata') unreadable('A property holds text and no elements.');
  return nodeList(content)
    .map((part) => String(elementName(part)[1]))
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function resolved(text: string): string {
  return text.replaceAll(/&([^;&]{0,12});?/g, (reference, name: string) => {
    const entity = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (entity !== undefined) return entity;
    const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
    const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (!(point > 0 && point <= 0x10ffff)) unreadable(`${reference} is not an entity that is read here.`);
    return String.fromCodePoint(point);
  });
}

/** A node holds its content under its own name, beside its attributes. */
function elementName(node: Node): readonly [string, unknown] {
  return Object.entries(node).find(([key]) => key !== ':@') ?? ['', undefined];
}

function childrenOf(node: Node): readonly Node[] {
  return nodeList(elementName(node)[1]);
}

function attribute(node: Node, name: string): string | undefined {
  const attributes = node[':@'];
  const value = isNode(attributes) ? attributes[name] : undefined;
  return typeof value === 'string' ? resolved(value) : undefined;
}

function nodeList(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter((item) => isNode(item)) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function unreadable(message: string): never {
  throw new InterfaceError(reasons.deserializationFailure, { message });
}
