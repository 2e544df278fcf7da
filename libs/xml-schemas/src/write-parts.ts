import { element, optionalElement, type XmlNode } from './build-xml.js';
import type { FieldTable } from './field-reader.js';
import { ENDPOINT_FIELDS } from './field-tables.js';
import type { Endpoint, FurtherFields, Hop, Outcome, ResponseCode } from './record.js';
import { integerOf } from './values.js';
import { furtherElements, furtherTree, type FurtherNode } from './write-further.js';

/** What of the form differs: 1.0 stands alone, A, C and D are alike. */
export interface WritingStyle {
  readonly firstVersion: boolean;
  /** Name of the element with the diagnostics text. */
  readonly diagnosticsElement: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with what is known of it and what is not. */
export function container(
  name: string,
  known: readonly XmlNode[],
  further: FurtherNode,
  attributes: Attributes = {},
): XmlNode {
  const unknown = Object.fromEntries(further.attributes);
  return element(name, [...known, ...furtherElements(further)], { ...unknown, ...attributes });
}

/** Like {@link container}, but not there when it would be empty. */
export function optionalContainer(name: string, known: readonly XmlNode[], further: FurtherNode): XmlNode[] {
  const isEmpty = known.length === 0 && further.children.size === 0 && further.attributes.size === 0;
  return isEmpty ? [] : [container(name, known, further)];
}

/** The simple elements of a table. */
export function writeFields<T extends { readonly further?: FurtherFields }>(
  values: T,
  table: FieldTable<T>,
  style: WritingStyle,
): XmlNode[] {
  const elements = new Map<string, { text?: string | number; attributes: Record<string, string | number> }>();
  for (const { element: path, field } of table) {
    const value = scalar(values[field], style);
    if (value === undefined) continue;
    const [name = '', attribute] = path.split('@');
    const entry = elements.get(name) ?? { attributes: {} };
    elements.set(name, entry);
    if (attribute === undefined) entry.text = value;
    else entry.attributes[attribute] = value;
  }
  return [...elements].map(([name, { text, attributes }]) => element(name, text ?? [], attributes));
}

export function writeEndpoint(name: string, endpoint: Endpoint | undefined, style: WritingStyle): XmlNode[] {
  if (!endpoint) return [];
  return [container(name, writeFields(endpoint, ENDPOINT_FIELDS, style), furtherTree(endpoint.further))];
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
  // A phrase alone stands where 1.0 has it, unless it would be taken for a code there.
  if (code === undefined && integerOf(phrase) === undefined) return optionalElement('ResponseCode', phrase);
  return [...optionalElement('ResponseCode', code), ...optionalElement('ResponsePhrase', phrase)];
}

export function writeRoute(route: readonly Hop[] | undefined, further: FurtherNode): XmlNode[] {
  if (!route) return [];
  const hops = route.map(({ address, rtt }) => element('Hop', address ?? [], { RTT: rtt }));
  return [container('Route', hops, further)];
}

/** 1.0 says `True`, later versions `true`. Objects and lists are no simple elements. */
function scalar(value: unknown, { firstVersion }: WritingStyle): string | number | undefined {
  if (typeof value === 'boolean') return firstVersion ? (value ? 'True' : 'False') : String(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
