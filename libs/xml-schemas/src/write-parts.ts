import { element, optionalElement, type XmlNode } from './build-xml.js';
import { ENDPOINT_FIELDS, type FieldTable } from './field-tables.js';
import type { Endpoint, FurtherFields, Hop, Outcome } from './record.js';
import { isFieldName } from './values.js';

/** What of the form differs: 1.0 stands alone, A, C and D are alike. */
export interface WritingStyle {
  readonly firstVersion: boolean;
  /** Name of the element with the diagnostics text. */
  readonly diagnosticsElement: string;
}

/** The simple elements of a table, then the further ones. */
export function writeFields<T extends { readonly further?: FurtherFields }>(
  values: T,
  table: FieldTable<T>,
  style: WritingStyle,
): XmlNode[] {
  const known = table.flatMap(({ element: name, field }) => optionalElement(name, scalar(values[field], style)));
  return [...known, ...writeFurther(values.further)];
}

export function writeEndpoint(name: string, endpoint: Endpoint | undefined, style: WritingStyle): XmlNode[] {
  return endpoint ? [element(name, writeFields(endpoint, ENDPOINT_FIELDS, style))] : [];
}

/** Keys that are no names of the feed are left out: they could not be read back, or break the document. */
export function writeFurther(further: FurtherFields = {}): XmlNode[] {
  const byElement = new Map<string, { text?: string; attributes: Map<string, string> }>();
  for (const [key, value] of Object.entries(further)) {
    const [name = '', attribute] = key.split('@');
    if (!isFieldName(name) || (attribute !== undefined && !isFieldName(attribute))) continue;
    const entry = byElement.get(name) ?? { attributes: new Map<string, string>() };
    byElement.set(name, entry);
    if (attribute === undefined) entry.text = value;
    else entry.attributes.set(attribute, value);
  }
  return [...byElement].map(([name, { text, attributes }]) =>
    element(name, text ?? [], Object.fromEntries(attributes)),
  );
}

/**
 * `codeAsText`: C and D write code and phrase of an event as two elements; everywhere else the code is an attribute
 * and the phrase the text.
 */
export function writeOutcome(outcome: Outcome, style: WritingStyle, codeAsText: boolean): XmlNode[] {
  const { diagnosticsElement } = style;
  const { code, phrase } = outcome.responseCode ?? {};
  const response =
    code === undefined || codeAsText
      ? [...optionalElement('ResponseCode', code), ...optionalElement('ResponsePhrase', phrase)]
      : [element('ResponseCode', phrase ?? [], { Code: code })];
  return [
    ...response,
    ...optionalElement(diagnosticsElement, outcome.diagnostics?.text),
    ...optionalElement(`${diagnosticsElement}Client`, outcome.diagnosticsClient?.text),
    ...optionalElement(`${diagnosticsElement}Public`, outcome.diagnosticsPublic?.text),
  ];
}

export function writeRoute(route: readonly Hop[] | undefined): XmlNode[] {
  if (!route) return [];
  return [
    element(
      'Route',
      route.map(({ address, rtt }) => element('Hop', address ?? [], { RTT: rtt })),
    ),
  ];
}

/** 1.0 says `True`, later versions `true`. Objects and lists are no simple elements. */
function scalar(value: unknown, { firstVersion }: WritingStyle): string | number | undefined {
  if (typeof value === 'boolean') return firstVersion ? (value ? 'True' : 'False') : String(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
