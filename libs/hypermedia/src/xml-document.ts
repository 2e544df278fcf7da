import { XMLBuilder } from 'fast-xml-parser';

/** One element in the form of the builder that preserves the order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly children: readonly XmlElement[] | string;
}

type Node = Readonly<Record<string, unknown>>;

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  processEntities: true,
});

export function xmlDocument(root: XmlElement): string {
  const declaration = { '?xml': [{ '#text': '' }], ':@': { version: '1.0', encoding: 'utf-8' } };
  return builder.build([declaration, nodeOf(root)]);
}

function nodeOf({ name, attributes, children }: XmlElement): Node {
  const content =
    typeof children === 'string' ? [{ '#text': xmlText(children) }] : children.map((item) => nodeOf(item));
  const shown = Object.entries(attributes ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, xmlText(value)]],
  );
  return shown.length === 0 ? { [name]: content } : { [name]: content, ':@': Object.fromEntries(shown) };
}

/** Removes characters that XML 1.0 cannot contain, escaped or not: most control characters and lone surrogates. */
function xmlText(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
