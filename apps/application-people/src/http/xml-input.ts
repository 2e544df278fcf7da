import { Fault } from '@ringdown/web-server/errors';
import { FeedSyntaxError, readElement, type Element } from '@ringdown/xml-schemas';

const ROOTS: ReadonlySet<string> = new Set(['input', 'resource']);

/**
 * Reads `<input><property name="…">text</property><propertyList name="…"><item>text</item></propertyList></input>`
 * (web-interface.md, sections 3 and 9); the root may be `resource` as well. Links `<link rel="…" href="…"/>` become
 * `_links`, as in JSON: an object by relation, or a list of objects where the relation is repeated. Other elements are
 * left out. Uses the XML reader of records: linear time, with limits of depth, elements and attributes. Throws {@link
 * Fault} `unreadable-body`.
 */
export function readXmlInput(xml: string): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  const links = new Map<string, { readonly href: string }[]>();
  for (const element of rootOf(xml).children) {
    if (element.name === 'link') addLink(links, element);
    if (element.name !== 'property' && element.name !== 'propertyList') continue;
    const name = element.attributes.get('name');
    if (name === undefined) unreadable(`A ${element.name} must have a name.`);
    if (values.has(name)) unreadable(`${name} is given more than once.`);
    values.set(name, element.name === 'property' ? inputPropertyText(element) : itemTexts(element));
  }
  const given = Array.from(links, ([rel, all]) => [rel, all.length === 1 ? all[0] : all] as const);
  return { ...Object.fromEntries(values), ...(given.length === 0 ? {} : { _links: Object.fromEntries(given) }) };
}

function rootOf(xml: string): Element {
  try {
    return readElement(xml, ROOTS);
  } catch (error) {
    if (!(error instanceof FeedSyntaxError)) throw error;
    return unreadable(error.message);
  }
}

function addLink(links: Map<string, { readonly href: string }[]>, { attributes }: Element): void {
  const [rel, href] = [attributes.get('rel'), attributes.get('href')];
  if (rel === undefined || href === undefined) unreadable('A link must have rel and href.');
  const others = links.get(rel);
  if (others) others.push({ href });
  else links.set(rel, [{ href }]);
}

function itemTexts({ children }: Element): string[] {
  return children.filter(({ name }) => name === 'item').map((item) => inputPropertyText(item));
}

function inputPropertyText({ text, children }: Element): string {
  return children.length === 0 ? text : unreadable('A property must contain text and no elements.');
}

function unreadable(message: string): never {
  throw new Fault('unreadable-body', { message });
}
