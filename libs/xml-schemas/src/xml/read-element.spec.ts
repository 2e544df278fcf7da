import * as fc from 'fast-check';
import { arbitraryDocument } from '../../test/arbitrary-document.js';
import { arbitrarySyntax } from '../../test/arbitrary-syntax.js';
import { readElementWithSaxes } from '../../test/saxes-reader.js';
import { endedRecord, errorRecord, laterRecord, qualityRecord, startRecord } from '../../test/sample-records.js';
import type { Element } from './element.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { readElement } from './read-element.js';

const ROOTS = new Set(['Diagnostics', 'GetConfiguration']);
const RUNS = 10_000;
const PIECES = ['<', '>', '&', '"', "'", '/', '=', ':', '<!', '<!--', '--', '-->', '<![CDATA[', ']]>', '<?', '?>', '?'];
const MORE = ['<!DOCTYPE', ' a="b"', '<a>', '</a>', '<a/>', '&lt;', '&#', ';', '\0', '\u{fffe}', '\r', '\n', ' ', 'é'];

const samples = [startRecord, endedRecord, errorRecord, qualityRecord, laterRecord].map(String);
const document = fc.oneof(arbitrarySyntax, arbitrarySyntax, arbitraryDocument, fc.constantFrom(...samples));
const change = fc.record({
  at: fc.nat(10_000),
  remove: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(30)),
  insert: fc.oneof(fc.constant(''), fc.constantFrom(...PIECES, ...MORE), fc.string({ maxLength: 3 })),
});

function changed(text: string, { at, remove, insert }: { at: number; remove: number; insert: string }): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + insert + text.slice(place + remove);
}

type Reading = typeof readElement;

/** The result of a document: everything visible of its elements, or the reason of the rejection. */
function outcome(read: Reading, text: string): unknown {
  try {
    return seen(read(text, ROOTS));
  } catch (error) {
    if (error instanceof FeedSyntaxError) return error.code;
    throw error;
  }
}

function seen({ name, attributes, children, text, position }: Element): unknown {
  return { name, attributes: [...attributes], children: children.map(seen), text, position };
}

interface Outcomes {
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** A document that saxes rejects for something in or after a document type is rejected here for that type already. */
function outcomes(text: string): Outcomes {
  const ours = outcome(readElement, text);
  const theirs = outcome(readElementWithSaxes, text);
  return { ours, theirs: ours === 'doctype' && theirs === 'not-xml' ? ours : theirs };
}

describe('the reader of documents agrees with saxes', () => {
  it('on documents of all kinds', () => {
    let accepted = 0;
    const agrees = fc.property(document, (text) => {
      const { ours, theirs } = outcomes(text);
      expect(ours).toEqual(theirs);
      if (typeof ours === 'object') accepted++;
    });
    fc.assert(agrees, { numRuns: RUNS });
    // Both outcomes really occur.
    expect(accepted).toBeGreaterThan(RUNS / 10);
    expect(accepted).toBeLessThan(RUNS);
  });

  it('on modified documents', () => {
    let accepted = 0;
    const agrees = fc.property(document, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
      const { ours, theirs } = outcomes(changes.reduce(changed, text));
      expect(ours).toEqual(theirs);
      if (typeof ours === 'object') accepted++;
    });
    fc.assert(agrees, { numRuns: RUNS });
    expect(accepted).toBeGreaterThan(RUNS / 50);
    expect(accepted).toBeLessThan(RUNS);
  });

  it.each(samples)('on a document truncated anywhere: %.40s', (sample) => {
    for (let end = 0; end <= sample.length; end++) {
      const { ours, theirs } = outcomes(sample.slice(0, end));
      expect(ours).toEqual(theirs);
    }
  });
});

describe('the reader of documents', () => {
  it.each<[string, string, string]>([
    [
      'an end tag of another name',
      '<Diagnostics>\n<a>\n</b></Diagnostics>',
      'unexpected close tag. (line 3, column 4)',
    ],
    ['an unclosed element', '<Diagnostics><a>', 'unclosed tag: a. (line 1, column 17)'],
    ['an attribute twice', '<Diagnostics a="1" a="2"/>', 'duplicate attribute. (line 1, column 25)'],
    ['a control character', '<Diagnostics>\r\n\u{1}', 'disallowed character. (line 2, column 1)'],
    [
      'an unknown entity',
      '<Diagnostics>&nbsp;',
      'undefined entity or malformed character reference. (line 1, column 14)',
    ],
  ])('reports the position of %s', (_what, text, message) => {
    expect(() => readElement(text, ROOTS)).toThrow(`Not well-formed XML: ${message}`);
  });
});
