import { SaxesParser } from 'saxes';
import { errorReason } from '@ringdown/errors';
import { ATTRIBUTE_LIMIT, DEPTH_LIMIT, ELEMENT_LIMIT } from '../src/xml/document-limits.js';
import type { Element } from '../src/xml/element.js';
import { type FeedSyntaxCode, FeedSyntaxError, type TextPosition } from '../src/xml/feed-syntax-error.js';
import { localName } from '../src/xml/names.js';

/** Version 1.1 would allow control characters. */
const PARSER_OPTIONS = { xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The same as `readElement` of the library, based on saxes: an independent XML parser to compare ours with. */
export function readElementWithSaxes(text: string, roots: ReadonlySet<string>): Element {
  if (!text.isWellFormed()) throw new FeedSyntaxError('bad-encoding', 'The text has half a surrogate pair.');
  return new ElementReader(roots).read(text);
}

class ElementReader {
  private readonly parser = new SaxesParser<typeof PARSER_OPTIONS>(PARSER_OPTIONS);
  private readonly open: Element[] = [];
  private root: Element | undefined;
  private elements = 0;
  /** Attributes of the current start tag; the parser's own collection is slow to read. */
  private attributes: Map<string, string> | undefined;
  private attributeCount = 0;

  /**
   * Every handler is one more property of the parser, and with eight of them V8 turns the object into a dictionary and
   * parsing takes six times as long: so the declaration and errors are checked without handlers.
   */
  constructor(private readonly roots: ReadonlySet<string>) {
    const { parser } = this;
    // The parser's own table inherits from Object.prototype and would "expand" &constructor;.
    parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });
    parser.on('doctype', () => this.reject('doctype', 'A document type declaration is not allowed.'));
    parser.on('attribute', ({ name, value }) => this.addAttribute(name, value));
    parser.on('opentag', ({ name }) => this.start(localName(name)));
    parser.on('closetag', () => this.open.pop());
    parser.on('text', (part) => this.addText(part));
    parser.on('cdata', (part) => this.addText(part));
  }

  read(text: string): Element {
    try {
      this.parser.write(text).close();
    } catch (error) {
      if (error instanceof FeedSyntaxError) throw error;
      this.reject('not-xml', sentence(errorReason(error)));
    }
    // A document without a root is an error of the parser, so this is for the type only.
    return this.root ?? this.reject('not-xml', 'The document has no element.');
  }

  private start(name: string): void {
    const parent = this.open.at(-1);
    if (parent) this.checkLimits();
    else this.checkRoot(name);
    const element: Element = {
      name,
      attributes: this.attributes ?? NO_ATTRIBUTES,
      children: [],
      text: '',
      position: this.position(),
    };
    if (parent) parent.children.push(element);
    else this.root = element;
    this.open.push(element);
    this.attributes = undefined;
    this.attributeCount = 0;
  }

  private addText(part: string): void {
    const element = this.open.at(-1);
    if (element) element.text += part;
  }

  private checkRoot(name: string): void {
    const { encoding } = this.parser.xmlDecl;
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
      this.reject('bad-encoding', `The encoding "${encoding}" is not UTF-8.`);
    }
    if (!this.roots.has(name)) this.reject('unknown-root', `Unknown root element "${name}".`);
  }

  private checkLimits(): void {
    if (++this.elements >= ELEMENT_LIMIT) this.reject('too-many-elements', `More than ${ELEMENT_LIMIT} elements.`);
    if (this.open.length >= DEPTH_LIMIT) this.reject('too-deep', `Elements nested deeper than ${DEPTH_LIMIT}.`);
  }

  /** An attribute without a prefix wins over one with a prefix and the same local name. */
  private addAttribute(name: string, value: string): void {
    if (++this.attributeCount > ATTRIBUTE_LIMIT) {
      this.reject('too-many-attributes', `More than ${ATTRIBUTE_LIMIT} attributes on one element.`);
    }
    if (name === 'xmlns' || name.startsWith('xmlns:')) return;
    this.attributes ??= new Map();
    const local = localName(name);
    if (local === name || !this.attributes.has(local)) this.attributes.set(local, value);
  }

  private position(): TextPosition {
    return { line: this.parser.line, column: this.parser.column };
  }

  private reject(code: FeedSyntaxCode, reason: string): never {
    throw new FeedSyntaxError(code, reason, this.position());
  }
}

/** `3:7: unclosed tag: a` -> `Not well-formed XML: unclosed tag: a.` The position is stored separately. */
function sentence(parserMessage: string): string {
  return `Not well-formed XML: ${parserMessage.replace(/^\d+:\d+: /, '').replace(/\.$/, '')}.`;
}
