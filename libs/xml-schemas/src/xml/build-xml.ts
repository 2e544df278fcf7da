/** A piece of a document: an element, created by {@link element}, or a text, created by {@link textNode}. */
export interface XmlNode {
  readonly xml: string;
}

type Scalar = string | number;

/**
 * Character references for line ends and tabs too: a reader would convert a raw carriage return to a line feed, and in
 * attributes all three to spaces.
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
/** The fast path: nearly no text contains any of them, and a front end writes many thousands per second. */
const TO_ESCAPE_OR_REPLACE = /[&<>"'\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** An element; attributes without a value are left out. `name` must be a valid XML name: it is not checked here. */
export function element(
  name: string,
  content: Scalar | readonly XmlNode[],
  attributes?: Readonly<Record<string, Scalar | undefined>>,
): XmlNode {
  let tag = name;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) tag += ` ${key}="${xmlText(value)}"`;
  }
  let inner = '';
  if (typeof content === 'object') for (const { xml } of content) inner += xml;
  else inner = xmlText(content);
  return { xml: inner === '' ? `<${tag}/>` : `<${tag}>${inner}</${name}>` };
}

/** Text beside child elements. */
export function textNode(text: string): XmlNode {
  return { xml: xmlText(text) };
}

/** One element without attributes, or nothing if there is no value. */
export function optionalElement(name: string, content: Scalar | undefined): XmlNode[] {
  return content === undefined ? [] : [element(name, content)];
}

/** The document without a declaration, as the feed's senders write it. It is then UTF-8. */
export function buildXml(root: XmlNode): string {
  return root.xml;
}

/** Escaped; characters that an XML document cannot contain become U+FFFD. */
function xmlText(value: Scalar): string {
  const text = String(value);
  if (!TO_ESCAPE_OR_REPLACE.test(text)) return text;
  return text.replace(NOT_IN_XML, '\u{fffd}').replace(/[&<>"'\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}
