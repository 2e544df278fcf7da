import { XMLBuilder } from 'fast-xml-parser';

/** One element for {@link buildXml}; made by {@link element}. */
export type XmlNode = Readonly<Record<string, unknown>>;

type Scalar = string | number;

/**
 * Character references for line ends and tabs too: a reader would turn a raw carriage return into a line feed, and in
 * attributes all three into spaces.
 */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Texts reach it escaped: its own list of entities leaves line ends alone. */
const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  processEntities: false,
});

/** An element; attributes without a value are left out. `name` must be a name of XML: nothing checks it here. */
export function element(
  name: string,
  content: Scalar | readonly XmlNode[],
  attributes: Readonly<Record<string, Scalar | undefined>> = {},
): XmlNode {
  const values = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, xmlText(value)] as const],
  );
  const children = typeof content === 'object' ? content : [{ '#text': xmlText(content) }];
  return { [name]: children, ...(values.length === 0 ? {} : { ':@': Object.fromEntries(values) }) };
}

/** Text beside child elements. */
export function textNode(text: string): XmlNode {
  return { '#text': xmlText(text) };
}

/** One element without attributes, or nothing where there is no value. */
export function optionalElement(name: string, content: Scalar | undefined): XmlNode[] {
  return content === undefined ? [] : [element(name, content)];
}

/** The document: without a declaration, as the feed's senders write it. It is UTF-8 then. */
export function buildXml(root: XmlNode): string {
  return builder.build([root]);
}

/** Escaped; characters that no XML document may hold become U+FFFD. */
function xmlText(value: Scalar): string {
  return String(value)
    .replace(NOT_IN_XML, '\u{fffd}')
    .replace(/[&<>"'\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}
