import { ATTRIBUTE_LIMIT, DEPTH_LIMIT, ELEMENT_LIMIT } from './document-limits.js';
import type { Element } from './element.js';
import { type FeedSyntaxCode, FeedSyntaxError } from './feed-syntax-error.js';
import { localName, nameAt } from './names.js';
import { textPosition, ScannedElement } from './scanned-element.js';
import { nameEnd, spaceEnd, withoutReferences } from './xml-syntax.js';

const DECLARATION =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y;

const BANG = 0x21;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * Reads a document once, whose line ends are line feeds and whose characters are all allowed. Nearly all of a record is
 * tags and texts between them, so these are sliced as a whole instead of being read character by character.
 */
export class DocumentReader {
  private at = 0;
  private root: Element | undefined;
  private elements = 0;
  private encoding: string | undefined;
  /** The innermost open element, and the number of open elements. */
  private open: ScannedElement | undefined;
  private depth = 0;
  /** Most documents have neither, and then the texts need no further check. */
  private readonly hasReferences: boolean;
  private readonly hasCdataEnd: boolean;

  constructor(
    private readonly text: string,
    private readonly roots: ReadonlySet<string>,
  ) {
    this.hasReferences = text.includes('&');
    this.hasCdataEnd = text.includes(']]>');
  }

  /** Throws {@link FeedSyntaxError}. */
  read(): Element {
    const { text } = this;
    this.readDeclaration();
    while (this.at < text.length) {
      const markup = text.indexOf('<', this.at);
      const end = markup === -1 ? text.length : markup;
      if (end > this.at) this.addText(text.slice(this.at, end));
      this.at = end;
      if (markup !== -1) this.readMarkup(text.charCodeAt(markup + 1));
    }
    if (this.open) this.fail(`unclosed tag: ${this.open.tag}`);
    return this.root ?? this.fail('document must contain a root element');
  }

  /** Only allowed at the start; errors in one elsewhere are found by the code for instructions. */
  private readDeclaration(): void {
    this.at = this.text.startsWith('\u{feff}') ? 1 : 0;
    DECLARATION.lastIndex = this.at;
    const [declaration = '', inDouble, inSingle] = DECLARATION.exec(this.text) ?? [];
    this.encoding = inDouble ?? inSingle;
    this.at += declaration.length;
  }

  /** `this.at` is the index of a `<`; `next` follows it. */
  private readMarkup(next: number): void {
    if (next === SLASH) this.readEndTag();
    else if (next === BANG) this.readDeclared();
    else if (next === QUESTION) this.readInstruction();
    else this.readStartTag();
  }

  private readStartTag(): void {
    const { text } = this;
    const from = this.at + 1;
    this.at = nameEnd(text, from);
    if (this.at === from) this.fail('disallowed character in tag name');
    const name = nameAt(text, from, this.at);
    if (this.root !== undefined && this.open === undefined) this.fail('documents may contain only one root');
    const attributes = text.charCodeAt(this.at) === GREATER ? NO_ATTRIBUTES : this.readAttributes();
    const isEmpty = text.charCodeAt(this.at) === SLASH;
    if (isEmpty && text.charCodeAt(++this.at) !== GREATER) this.fail('forward-slash in opening tag not followed by >');
    const element = new ScannedElement(localName(name), attributes, this.open, name, text, this.at);
    this.place(element);
    this.at++;
    if (isEmpty) return;
    this.open = element;
    this.depth++;
  }

  private place(element: ScannedElement): void {
    if (this.open) {
      this.checkLimits();
      this.open.children.push(element);
    } else {
      this.checkRoot(element.name);
      this.root = element;
    }
  }

  private checkRoot(name: string): void {
    const { encoding } = this;
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
      this.reject('bad-encoding', `The encoding "${encoding}" is not UTF-8.`);
    }
    if (!this.roots.has(name)) this.reject('unknown-root', `Unknown root element "${name}".`);
  }

  private checkLimits(): void {
    if (++this.elements >= ELEMENT_LIMIT) this.reject('too-many-elements', `More than ${ELEMENT_LIMIT} elements.`);
    if (this.depth >= DEPTH_LIMIT) this.reject('too-deep', `Elements nested deeper than ${DEPTH_LIMIT}.`);
  }

  /** Ends at the `>` or `/` after the last one. */
  private readAttributes(): ReadonlyMap<string, string> {
    const { text } = this;
    let attributes: Map<string, string> | undefined;
    const names: string[] = [];
    let isRepeated = false;
    for (;;) {
      const from = spaceEnd(text, this.at);
      const code = text.charCodeAt(from);
      if (code === GREATER || code === SLASH) {
        this.at = from;
        if (isRepeated) this.fail('duplicate attribute');
        return attributes ?? NO_ATTRIBUTES;
      }
      const end = nameEnd(text, from);
      if (from === this.at || end === from) this.fail('disallowed character in attribute name');
      this.at = end;
      const name = nameAt(text, from, end);
      const value = this.readValue();
      isRepeated ||= names.includes(name);
      if (names.push(name) > ATTRIBUTE_LIMIT) {
        this.reject('too-many-attributes', `More than ${ATTRIBUTE_LIMIT} attributes on one element.`);
      }
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
      attributes ??= new Map();
      const local = localName(name);
      // An attribute without a prefix wins over one with a prefix and the same local name.
      if (local === name || !attributes.has(local)) attributes.set(local, value);
    }
  }

  /** From after the name to after the closing quote. */
  private readValue(): string {
    const { text } = this;
    const sign = spaceEnd(text, this.at);
    if (text.charCodeAt(sign) !== EQUALS) this.fail('attribute without value');
    const opening = spaceEnd(text, sign + 1);
    const quote = text[opening];
    if (quote !== '"' && quote !== "'") this.fail('unquoted attribute value');
    const end = this.find(quote, opening + 1, 'unclosed attribute value');
    const value = text.slice(opening + 1, end);
    this.at = end + 1;
    if (!/[\t\n<&]/.test(value)) return value;
    if (value.includes('<')) this.fail('disallowed character in an attribute value');
    return this.expanded(value.replaceAll(/[\t\n]/g, ' '));
  }

  private readEndTag(): void {
    const { text, open } = this;
    const from = this.at + 2;
    const end = open && text.startsWith(open.tag, from) ? spaceEnd(text, from + open.tag.length) : -1;
    if (open === undefined || text.charCodeAt(end) !== GREATER) {
      this.at = Math.max(this.at, text.indexOf('>', from));
      this.fail('unexpected close tag');
    }
    this.at = end + 1;
    this.open = open.parent;
    this.depth--;
  }

  /** A comment, a CDATA section, or a document type. */
  private readDeclared(): void {
    const { text, at } = this;
    if (text.startsWith('<!--', at)) {
      this.at = this.find('--', at + 4, 'unclosed comment') + 2;
      if (text[this.at++] !== '>') this.fail('malformed comment');
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = this.find(']]>', at + 9, 'unclosed CDATA section');
      const parent = this.open ?? this.fail('text data outside of root node');
      parent.text += text.slice(at + 9, end);
      this.at = end + 3;
    } else if (text.startsWith('<!DOCTYPE', at) && this.root === undefined) {
      this.reject('doctype', 'A document type declaration is not allowed.');
    } else {
      this.fail('incorrect syntax');
    }
  }

  private readInstruction(): void {
    const { text } = this;
    const from = this.at + 2;
    const end = nameEnd(text, from);
    if (end === from) this.fail('processing instruction without a target');
    if (text.slice(from, end).toLowerCase() === 'xml') this.fail('misplaced or malformed XML declaration');
    if (text[end] !== '?' && spaceEnd(text, end) === end) {
      this.fail('disallowed character in processing instruction name');
    }
    this.at = this.find('?>', end, 'unclosed processing instruction') + 2;
  }

  private addText(text: string): void {
    if (this.open === undefined) {
      if (spaceEnd(text, 0) < text.length) this.fail('text data outside of root node');
      return;
    }
    if (this.hasCdataEnd && text.includes(']]>')) this.fail('the string "]]>" is disallowed in char data');
    this.open.text += this.expanded(text);
  }

  private expanded(text: string): string {
    if (!this.hasReferences) return text;
    return withoutReferences(text) ?? this.fail('undefined entity or malformed character reference');
  }

  private find(what: string, from: number, otherwise: string): number {
    const found = this.text.indexOf(what, from);
    return found === -1 ? this.fail(otherwise) : found;
  }

  private fail(what: string): never {
    this.reject('not-xml', `Not well-formed XML: ${what}.`);
  }

  private reject(code: FeedSyntaxCode, reason: string): never {
    throw new FeedSyntaxError(code, reason, textPosition(this.text, this.at));
  }
}
