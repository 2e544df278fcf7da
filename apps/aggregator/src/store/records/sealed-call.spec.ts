import { hash } from 'node:crypto';
import { documentDigest } from '../../calls/feed-record.js';
import { CALL_DICTIONARY } from './call-dictionary.js';
import { packRecords, unpackRecords, type PackedRecord } from './packed-records.js';
import { isSealed, sealCall, sealedCall } from './sealed-call.js';

function record(number: number, xml: string): PackedRecord {
  return {
    id: `id-${number}`,
    digest: documentDigest(xml),
    size: xml.length,
    receivedAt: 1_772_445_600_000 + number,
    remoteAddress: '2001:db8::1',
    certificateSubject: null,
    content: Buffer.from(JSON.stringify({ connection: { callId: `c${number}` }, events: [] })),
    xml: Buffer.from(xml),
  };
}

const CALL = JSON.stringify({ callId: 'Ö1', state: 'ended', verdict: 'good' });
const XML = `<Diagnostics Version="1.0">${'<Id>a1</Id><URI>sip:ben@example.test</URI>'.repeat(20)}</Diagnostics>`;

function sealed(call: string, records: readonly PackedRecord[]): Buffer {
  const value = sealCall(call, packRecords(records));
  if (value === undefined) throw new Error('it is too large');
  return value;
}

describe('a sealed call', () => {
  it('has the call and its records as they were', () => {
    const records = [XML, '', '<x>ä 🎧</x>', XML].map((xml, number) => record(number, xml));
    const value = sealed(CALL, records);
    expect([isSealed(value), isSealed(packRecords(records))]).toEqual([true, false]);
    expect(sealedCall(value)).toEqual(JSON.parse(CALL));
    expect(unpackRecords(value)).toEqual(records);
    expect(unpackRecords(sealed(CALL, []))).toEqual([]);
  });

  it('takes a fraction of what it has', () => {
    const records = Array.from({ length: 4 }, (_, number) => record(number, XML));
    expect(sealed(CALL, records).length).toBeLessThan(XML.length / 2);
  });

  it('is never made of more than can be read again', () => {
    expect(sealCall(JSON.stringify('x'.repeat(1_048_576)), packRecords([]))).toBeUndefined();
    const most = JSON.stringify('x'.repeat(1_000_000));
    expect(JSON.stringify(sealedCall(sealed(most, [])))).toBe(most);
  });

  it('is never another when a byte is damaged: mostly that is detected, and a bit of the frame that says nothing changes nothing', () => {
    const records = [record(1, XML)];
    const value = sealed(CALL, records);
    let detected = 0;
    for (const [at, byte] of value.entries()) {
      const damaged = Buffer.from(value);
      damaged[at] = byte ^ 0b100;
      try {
        expect(unpackRecords(damaged)).toEqual(records);
      } catch (error) {
        if (error instanceof Error && 'matcherResult' in error) throw error;
        detected++;
      }
    }
    expect(detected).toBeGreaterThan(value.length - 3);
  });

  it('of an unknown form is not read', () => {
    expect(() => sealedCall(Buffer.of(9, 1, 2))).toThrow('unknown form 9');
  });

  it('of earlier versions stays readable: the dictionary is the one with which it was sealed', () => {
    expect(hash('sha256', CALL_DICTIONARY)).toBe('77cbef44f45f957ce7ab53ca62c7bc69878ee6e4b37b1c90473f7dfa961027da');
    const value =
      'ASi1L/0kuc0CAAQDMQAAAMOWfQA5AAAAW1siaWQtNyIsMjgsMTc3MjQ0NTA3LDE0MiwyOF1dYzddfS8+DADYdWwcKOqBWHh6YDHcdlS+XcUG2wLx4yqE6RYcEG2BqgELh3GIkTODEw==';
    expect(sealedCall(Buffer.from(value, 'base64'))).toEqual(JSON.parse(CALL));
    expect(unpackRecords(Buffer.from(value, 'base64'))).toEqual([record(7, '<Diagnostics Version="1.0"/>')]);
  });
});
