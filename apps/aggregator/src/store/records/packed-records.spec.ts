import { hash } from 'node:crypto';
import { packRecords, unpackRecords, type PackedRecord } from './packed-records.js';
import { RECORD_DICTIONARY } from './record-dictionary.js';

function record(number: number, xml: string): PackedRecord {
  return {
    id: `id-${number}`,
    digest: `digest-${number}`,
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

  it('take a fraction of their documents', () => {
    const records = Array.from({ length: 4 }, (_, number) => record(number, XML));
    expect(packRecords(records).length).toBeLessThan(XML.length);
  });

  it('are never others when a byte is damaged: mostly that is detected, and a bit of the frame that says nothing changes nothing', () => {
    const records = [record(1, XML)];
    const packed = packRecords(records);
    let detected = 0;
    for (const [at, byte] of packed.entries()) {
      const damaged = Buffer.from(packed);
      damaged[at] = byte ^ 0b100;
      try {
        expect(unpackRecords(damaged)).toEqual(records);
      } catch (error) {
        if (error instanceof Error && 'matcherResult' in error) throw error;
        detected++;
      }
    }
    expect(detected).toBeGreaterThan(packed.length - 3);
  });

  it('of an unknown form are not read', () => {
    expect(() => unpackRecords(Buffer.of(9, 1, 2))).toThrow('unknown form 9');
  });

  it('of earlier versions stay readable: the dictionary is the one with which they were packed', () => {
    expect(hash('sha256', RECORD_DICTIONARY)).toBe('d602973716db159292d0cda85f1f3b8284c07b8cedda4de99685531d3234622e');
    const packed =
      'ASi1L/0km8UCAMQDUQAAAFtbImlkLTciLCJkaWdlc3QtNyIsMjgsMTc3MjQ0NTcsMSIsIkNOw6QiLDQyLDI4XV17YzddfS8+BwD+hY0D4hzYzwSIm2qcrCeXRLJhWbirPgFO7McC';
    expect(unpackRecords(Buffer.from(packed, 'base64'))).toEqual([record(7, '<Diagnostics Version="1.0"/>')]);
  });
});
