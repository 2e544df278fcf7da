import { msProfile } from '@ringdown/vendor-profile';
import * as fc from 'fast-check';
import { endedRecord, errorRecord, laterRecord, qualityRecord, startRecord } from '../../test/sample-records.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { readFeedMessage } from './read-feed-message.js';

const samples = fc.constantFrom(startRecord, endedRecord, errorRecord, qualityRecord, laterRecord);
const markup = [
  '<',
  '>',
  '&',
  '"',
  '/',
  ';',
  '<!',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<!DOCTYPE a [',
  '&#',
];
const words = [
  'xmlns:',
  ' Type="x"',
  '<a>',
  '</a>',
  '&lt;',
  '\0',
  '\u{fffe}',
  '1E',
  '=',
  '__proto__',
  '</Diagnostics>',
];
const pieces = fc.constantFrom(...markup, ...words);
const mutation = fc.record({
  at: fc.nat(10_000),
  remove: fc.oneof(fc.constant(0), fc.nat(30)),
  insert: fc.oneof(pieces, fc.string(), fc.constantFrom('', ' ', '7', 'x', '<!-- -->')),
});

function mutate(body: Buffer, { at, remove, insert }: { at: number; remove: number; insert: string }): Buffer {
  const place = at % (body.length + 1);
  return Buffer.concat([body.subarray(0, place), Buffer.from(insert), body.subarray(place + remove)]);
}

/** The result of reading; throws every error that is not an expected rejection. */
function read(body: Buffer): string {
  try {
    return readFeedMessage(body, msProfile).kind;
  } catch (error) {
    if (error instanceof FeedSyntaxError) return error.code;
    throw error;
  }
}

describe('a record damaged in transit', () => {
  it('is read or rejected with a code, never anything else', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(samples, fc.array(mutation, { minLength: 1, maxLength: 3 }), (sample, mutations) => {
        const outcome = read(mutations.reduce(mutate, Buffer.from(sample)));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      { numRuns: 2_000 },
    );
    // Both outcomes really occur.
    expect(outcomes.get('record')).toBeGreaterThan(30);
    expect(outcomes.get('not-xml')).toBeGreaterThan(30);
  });

  it('is rejected when it is replaced by random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readFeedMessage(bytes, msProfile)).toThrow(FeedSyntaxError);
      }),
      { numRuns: 500 },
    );
  });
});
