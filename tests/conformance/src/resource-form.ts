import { json, type Answer } from './answer.js';
import { children, readXml, type XmlElement } from './xml.js';

/** The form that a client uses. */
export type ResourceForm = 'json' | 'xml';

/** What JSON embeds as a list, even with a single item. */
const MANY = new Set(['contact', 'group', 'distributionGroup']);

/**
 * The resource, events or error in a response as JSON has it, whichever of the two forms was sent: attributes and
 * elements of the XML are at the place where a client that reads JSON looks for them. Values of properties stay texts.
 */
export function resourceIn(answer: Answer, form: ResourceForm): unknown {
  if (form === 'json') return json(answer);
  const root = readXml(answer.body);
  if (root.name === 'events') return eventsForm(root);
  if (root.name === 'reason') return Object.fromEntries(root.children.map(({ name, text }) => [name, text]));
  return resourceForm(root);
}

function resourceForm(element: XmlElement): object {
  const { rel, href } = element.attributes;
  const properties = children(element, 'property').map((each) => [each.attributes['name'], each.text]);
  const lists = children(element, 'propertyList').map((each) => [
    each.attributes['name'],
    children(each, 'item').map(({ text }) => text),
  ]);
  const links = children(element, 'link').map((each): Named => [relOf(each), each.attributes]);
  const embedded = children(element, 'resource').map((each): Named => [relOf(each), resourceForm(each)]);
  return {
    ...Object.fromEntries([...properties, ...lists]),
    _links: { self: { href }, ...byRel(links) },
    ...(embedded.length === 0 ? {} : { _embedded: byRel(embedded, MANY) }),
    rel,
  };
}

function eventsForm(element: XmlElement): object {
  const links = children(element, 'link').map((each): Named => [relOf(each), each.attributes]);
  const senders = children(element, 'sender').map((sender) => ({
    ...sender.attributes,
    events: sender.children.map((event) => eventOf(event)),
  }));
  return { _links: byRel(links), sender: senders };
}

function eventOf(element: XmlElement): object {
  const { status, ...link } = element.attributes;
  const embedded = children(element, 'resource').map((each): Named => [relOf(element), resourceForm(each)]);
  return { link, type: element.name, status, _embedded: byRel(embedded) };
}

type Named = readonly [rel: string, value: unknown];

function byRel(all: readonly Named[], many: ReadonlySet<string> = new Set()): object {
  const values = new Map<string, unknown[]>();
  for (const [rel, value] of all) values.set(rel, [...(values.get(rel) ?? []), value]);
  return Object.fromEntries(
    Array.from(values, ([rel, list]) => [rel, list.length > 1 || many.has(rel) ? list : list[0]]),
  );
}

function relOf({ attributes }: XmlElement): string {
  const { rel } = attributes;
  if (rel === undefined) throw new Error(`an element without rel: ${JSON.stringify(attributes)}`);
  return rel;
}

/**
 * The body of a request in the client's form: texts, numbers and lists of them; `_links` become links. Null values are
 * left out.
 */
export function inputIn(form: ResourceForm, input: object, namespace: string): string {
  if (form === 'json') return JSON.stringify(input);
  const present = Object.entries(input).filter(([, value]) => value !== null);
  return `<input xmlns="${namespace}">${present.map(([name, value]) => inputElements(name, value)).join('')}</input>`;
}

function inputElements(name: string, value: unknown): string {
  if (name === '_links') {
    return Object.entries(Object(value))
      .map(([rel, link]) => `<link rel="${rel}" href="${escaped(Object(link).href)}"/>`)
      .join('');
  }
  if (!Array.isArray(value)) return `<property name="${name}">${escaped(value)}</property>`;
  const items = value.map((item) => `<item>${escaped(item)}</item>`).join('');
  return `<propertyList name="${name}">${items}</propertyList>`;
}

function escaped(value: unknown): string {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
