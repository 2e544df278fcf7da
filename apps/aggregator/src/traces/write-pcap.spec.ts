import { readCapture } from '@ringdown/call-capture/files';
import { pcapHead, pcapPacket, type PcapPacket } from './write-pcap.js';

async function packetsIn(file: Buffer): Promise<readonly object[]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(file);
  }
  const packets: object[] = [];
  for await (const entry of readCapture(chunks(), { bytes: 0 })) {
    if (entry.kind !== 'packet') throw new Error(JSON.stringify(entry));
    const { source, destination, payload } = entry.packet;
    packets.push({ at: Math.round(entry.at * 1_000), source, destination, payload: payload.toString() });
  }
  return packets;
}

const PAYLOAD = Buffer.from(
  'OPTIONS sip:b SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=z9hG4bK1\r\nFrom: <sip:a@x>;tag=1\r\nTo: <sip:b@x>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n\r\n',
);

describe('a written capture', () => {
  it.each<[string, Omit<PcapPacket, 'payload' | 'at'>]>([
    ['IPv4', { source: { ip: '192.0.2.1', port: 5060 }, destination: { ip: '198.51.100.255', port: 65_535 } }],
    ['IPv6', { source: { ip: '2001:db8::1', port: 5061 }, destination: { ip: '::', port: 1 } }],
    [
      'a full address',
      { source: { ip: '2001:db8:1:2:3:4:5:6', port: 5061 }, destination: { ip: 'fe80::1:2', port: 1 } },
    ],
  ])('has the addresses, the time and the text of a message over %s', async (_version, addresses) => {
    const message = { ...addresses, at: 1_772_615_727_000_001, payload: PAYLOAD };
    const file = Buffer.concat([pcapHead(), pcapPacket(message), pcapPacket(message)]);
    const expected = { ...message, payload: PAYLOAD.toString() };
    expect(await packetsIn(file)).toEqual([expected, expected]);
  });

  it.each([
    ['IPv4', '192.0.2.1'],
    ['IPv6', '2001:db8::1'],
  ])('has as much of a message as fits into a packet over %s', async (_version, ip) => {
    const place = { ip, port: 5_060 };
    const payload = Buffer.concat([PAYLOAD.subarray(0, -2), Buffer.from(`X: ${'x'.repeat(70_000)}\r\n\r\n`)]);
    const file = Buffer.concat([pcapHead(), pcapPacket({ at: 0, source: place, destination: place, payload })]);
    expect(await packetsIn(file)).toMatchObject([{ payload: payload.toString().slice(0, 65_000) }]);
  });
});
