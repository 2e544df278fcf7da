import type { Endpoint } from '../model/endpoint.js';
import type { FieldTable } from '../model/field-table.js';
import { ENDPOINT_FIELDS } from '../model/field-tables.js';
import type { Hop, Outcome, ResponseCode } from '../model/record.js';
import { parseInteger } from '../model/values.js';
import { element, optionalElement, type XmlNode } from './build-xml.js';
import { extensionElements, type ExtensionNode, extensionTree } from './write-extensions.js';

/** The differences between the formats: 1.0 is different, A, C and D are alike. */
export interface WritingStyle {
  readonly firstVersion: boolean;
  /** Name of the element with the diagnostics text. */
  readonly diagnosticsElement: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with its known and its unknown content. */
export function container(
  name: string,
  known: readonly XmlNode[],
  extensions: ExtensionNode,
  attributes?: Attributes,
): XmlNode {
  const children = extensions.children.size === 0 ? known : [...known, ...extensionElements(extensions)];
  if (extensions.attributes.size === 0) return element(name, children, attributes);
  return element(name, children, { ...Object.fromEntries(extensions.attributes), ...attributes });
}

/** Like {@link container}, but omitted when it would be empty. */
export function optionalContainer(name: string, known: readonly XmlNode[], extensions: ExtensionNode): XmlNode[] {
  const isEmpty = known.length === 0 && extensions.children.size === 0 && extensions.attributes.size === 0;
  return isEmpty ? [] : [container(name, known, extensions)];
}

/** An element with the fields of the model for its text and its attribute. */
interface WrittenField<T> {
  readonly name: string;
  field?: keyof T;
  attribute?: { readonly name: string; readonly field: keyof T };
}

/** A table prepared for writing, once per table: an endpoint has 46 fields, and a record four endpoints. */
export function writtenFields<T>(table: FieldTable<T>): readonly WrittenField<T>[] {
  const fields = new Map<string, WrittenField<T>>();
  for (const { element: path, field } of table) {
    const [name = '', attribute] = path.split('@');
    const written = fields.get(name) ?? { name };
    fields.set(name, written);
    if (attribute === undefined) written.field = field;
    else written.attribute = { name: attribute, field };
  }
  return [...fields.values()];
}

const ENDPOINT = writtenFields(ENDPOINT_FIELDS);

/** The simple elements of a table. */
export function writeFields<T>(values: T, fields: readonly WrittenField<T>[], style: WritingStyle): XmlNode[] {
  const written: XmlNode[] = [];
  for (const { name, field, attribute } of fields) {
    const text = field && scalar(values[field], style);
    const ofAttribute = attribute && scalar(values[attribute.field], style);
    if (text === undefined && ofAttribute === undefined) continue;
    written.push(element(name, text ?? [], attribute && { [attribute.name]: ofAttribute }));
  }
  return written;
}

export function writeEndpoint(name: string, endpoint: Endpoint | undefined, style: WritingStyle): XmlNode[] {
  if (!endpoint) return [];
  return [container(name, writeFields(endpoint, ENDPOINT, style), extensionTree(endpoint.further))];
}

/**
 * `codeAsText`: C and D write code and phrase of an event as two elements; everywhere else the code is an attribute
 * and the phrase the text.
 */
export function writeOutcome(outcome: Outcome, style: WritingStyle, codeAsText: boolean): XmlNode[] {
  const { diagnosticsElement } = style;
  return [
    ...writeResponse(outcome.responseCode ?? {}, codeAsText),
    ...optionalElement(diagnosticsElement, outcome.diagnostics?.text),
    ...optionalElement(`${diagnosticsElement}Client`, outcome.diagnosticsClient?.text),
    ...optionalElement(`${diagnosticsElement}Public`, outcome.diagnosticsPublic?.text),
  ];
}

function writeResponse({ code, phrase }: ResponseCode, codeAsText: boolean): XmlNode[] {
  if (code !== undefined && !codeAsText) return [element('ResponseCode', phrase ?? [], { Code: code })];
  // A phrase alone is written as in 1.0, unless it would be read as a code there.
  if (code === undefined && parseInteger(phrase) === undefined) return optionalElement('ResponseCode', phrase);
  return [...optionalElement('ResponseCode', code), ...optionalElement('ResponsePhrase', phrase)];
}

export function writeRoute(route: readonly Hop[] | undefined, extensions: ExtensionNode): XmlNode[] {
  if (!route) return [];
  const hops = route.map(({ address, rtt }) => element('Hop', address ?? [], { RTT: rtt }));
  return [container('Route', hops, extensions)];
}

/** 1.0 writes `True`, later versions `true`. Objects and lists are not simple elements. */
function scalar(value: unknown, { firstVersion }: WritingStyle): string | number | undefined {
  if (typeof value === 'boolean') return firstVersion ? (value ? 'True' : 'False') : String(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
