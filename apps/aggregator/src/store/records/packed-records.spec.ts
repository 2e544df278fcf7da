import { documentDigest } from '../../calls/feed-record.js';
import { packRecords, unpackRecords, type PackedRecord } from './packed-records.js';

function record(number: number, xml: string): PackedRecord {
  return {
    id: `id-${number}`,
    digest: documentDigest(xml),
    size: xml.length,
    receivedAt: 1_772_445_600_000 + number,
    remoteAddress: number % 2 === 0 ? null : '2001:db8::1',
    certificateSubject: number % 3 === 0 ? null : 'CN=fe1.exämple.test',
    content: Buffer.from(JSON.stringify({ connection: { callId: `c${number}` }, events: [] })),
    xml: Buffer.from(xml),
  };
}

const XML = `<Diagnostics Version="1.0">${'<Id>a1</Id><URI>sip:ben@example.test</URI>'.repeat(20)}</Diagnostics>`;

describe('packed records of a call', () => {
  it('are read as they were written: empty ones, and texts beyond ASCII', () => {
    const records = [XML, '', '<x>ä 🎧</x>', XML].map((xml, number) => record(number, xml));
    expect(unpackRecords(packRecords(records))).toEqual(records);
    expect(unpackRecords(packRecords([]))).toEqual([]);
  });

  it('of an older version have their digests with them', () => {
    const head = '["id-7","digest-7",28,1772445600007,"2001:db8::1",null,13,28]';
    const stored = `\0\x3f\0\0\0[${head}]{"events":[]}<Diagnostics Version="1.0"/>`;
    expect(unpackRecords(Buffer.from(stored))).toMatchObject([
      { id: 'id-7', digest: 'digest-7', remoteAddress: '2001:db8::1' },
    ]);
  });

  it('of an unknown form are not read', () => {
    expect(() => unpackRecords(Buffer.of(9, 1, 2))).toThrow('unknown form 9');
  });
});
