import { DocumentReader } from './document-reader.js';
import type { Element } from './element.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { textPosition } from './scanned-element.js';
import { firstForbidden } from './xml-syntax.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Only UTF-8 is accepted; a byte order mark is removed. Throws {@link FeedSyntaxError} `bad-encoding`. */
export function decodeBody(body: Uint8Array): string {
  try {
    return strictUtf8.decode(body);
  } catch {
    // The only error of a fatal decoder; it contains no more than the code.
    throw new FeedSyntaxError('bad-encoding', 'The body is not UTF-8 text.');
  }
}

/**
 * Reads a whole document in one pass: well-formed XML 1.0 without a DTD, whose root is one of `roots`.
 * Throws {@link FeedSyntaxError}.
 */
export function readElement(text: string, roots: ReadonlySet<string>): Element {
  if (!text.isWellFormed()) throw new FeedSyntaxError('bad-encoding', 'The text has half a surrogate pair.');
  const document = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  const forbidden = firstForbidden(document);
  if (forbidden === -1) return new DocumentReader(document, roots).read();
  refuseBefore(forbidden, document, roots);
  const reason = 'Not well-formed XML: disallowed character.';
  throw new FeedSyntaxError('not-xml', reason, textPosition(document, forbidden));
}

/** Throws an error found before `end`, except `not-xml`: a document truncated there is rarely well-formed. */
function refuseBefore(end: number, document: string, roots: ReadonlySet<string>): void {
  try {
    new DocumentReader(document.slice(0, end), roots).read();
  } catch (error) {
    if (!(error instanceof FeedSyntaxError) || error.code !== 'not-xml') throw error;
  }
}
