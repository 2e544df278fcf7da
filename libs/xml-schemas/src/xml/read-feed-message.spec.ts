import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import { endedRecord, errorRecord, laterRecord, qualityRecord, startRecord } from '../../test/sample-records.js';
import type { DiagnosticsRecord } from '../model/record.js';
import { readFeedMessage } from './read-feed-message.js';

function read(xml: string | Uint8Array, profile = defaultProfile): DiagnosticsRecord {
  const message = readFeedMessage(xml, profile);
  if (message.kind !== 'record') throw new Error('not a record');
  return message.record;
}

function withCallId(rest: string, root = 'Diagnostics'): DiagnosticsRecord {
  return read(`<${root}><ConnectionInfo><CallId>c1</CallId></ConnectionInfo>${rest}</${root}>`);
}

describe('a record of version 1.0', () => {
  it('of a start has one event per direction, with endpoints and codecs', () => {
    expect(read(startRecord)).toEqual({
      version: '1.0',
      connection: {
        frontEnds: ['fe1.example.test'],
        callId: '0F3c9a6d8be24b7c91d2a4e5f6071829',
        cseq: 2,
        conversationId: 'AdxK0Q3vYk5yQmZ2',
        timeStamp: '2026-03-04T09:15:27.1234567Z',
      },
      events: [
        {
          kind: 'startOrUpdate',
          mediaType: 'audio',
          from: { id: 'a1b2', epId: '9f8e', uri: 'sip:alice@example.test', ip: '192.0.2.10', port: 50012 },
          to: {
            id: 'f6e5',
            epId: '1a2b',
            uri: 'sip:bob@example.test',
            contact: 'sip:bob@example.test;opaque=user:epid:kX0;gruu',
            ip: '2001:db8::20',
            port: 50034,
          },
          protocol: 'UDP',
          codecs: [{ name: 'SIREN/16000', low: 52600, high: 68600 }, { name: 'RED/8000' }],
        },
        { kind: 'startOrUpdate', mediaType: 'audio', from: { id: 'f6e5' }, to: { id: 'a1b2' }, codecs: [] },
      ],
    });
  });

  it('of an end has the endpoints and no direction', () => {
    expect(read(endedRecord).events).toEqual([
      {
        kind: 'ended',
        endpoints: [
          { id: 'a1', epId: 'e1', uri: 'sip:alice@example.test' },
          { id: 'b1', epId: 'e2', uri: 'sip:bob@example.test' },
        ],
      },
    ]);
  });

  it('of an error has the response code and the diagnostics, parsed and as text', () => {
    expect(read(errorRecord).events).toEqual([
      {
        kind: 'error',
        endpoints: [
          { id: 'a1', epId: 'e1', uri: 'sip:alice@example.test' },
          { id: 'b1', uri: 'sip:bob@example.test' },
        ],
        responseCode: { code: 403, phrase: 'Forbidden' },
        diagnostics: {
          code: 11007,
          items: [
            { key: 'reason', value: 'Quality reporting not enabled' },
            { key: 'source', value: 'fe1.example.test' },
          ],
          text: '11007; reason=Quality reporting not enabled;source=fe1.example.test',
        },
      },
    ]);
  });

  it('of quality has an open list of metrics with limits, and the known fields of the network', () => {
    const { connection, events } = read(qualityRecord);
    expect(connection).toEqual({
      originator: '9f8e',
      frontEnds: ['fe1.example.test'],
      callId: 'c1',
      timeStamp: '2026-03-04T09:25:28Z',
      connectivity: 'DIRECT',
      startTime: '2026-03-04T09:15:26.1234Z',
      endTime: '2026-03-04T09:25:26.1234Z',
      appliedBandwidthLimit: 1_000_000_000,
      dialogCategory: 'OCS',
    });
    expect(events).toEqual([
      expect.objectContaining({
        kind: 'qualityUpdate',
        mediaType: 'video',
        to: expect.objectContaining({
          port: 65_535,
          relay: '198.51.100.7',
          relayPort: 3478,
          inside: true,
          vpn: false,
          connection: 'Ethernet',
        }),
        codecs: [{ name: 'x-rtvc1/90000' }],
        metrics: {
          PacketUtilization: { value: 8123 },
          PacketLossRate: { value: 0.00004210172 },
          JitterInterArrival: { value: 4 },
          VideoPacketLossRate: { value: 0.25, limit: 0.1 },
          RecvFrameRateAverage: { value: 14.5, limit: 7 },
          VideoLocalFrameLossPercentageAvg: { value: 0, limit: 10 },
          Fancy: { value: 'new in this release' },
        },
      }),
    ]);
  });
});

describe('a record of a later version', () => {
  it('contains several kinds of events, in their order', () => {
    const { connection, events, outcome, rawSdp } = read(laterRecord, msProfile);
    expect(connection).toEqual({
      callId: 'c2',
      frontEnds: ['fe1.example.test', 'fe2.example.test'],
      pools: ['pool.example.test'],
      correlationId: 'corr',
      cseq: 1,
      conferenceId: 'HPKWKC6L',
      mediaBypass: false,
      sourcePool: 'pool.example.test',
    });
    expect(events.map(({ kind }) => kind)).toEqual(['invite', 'start', 'ended', 'bye', 'error', 'inCallQuality']);
    expect(events[1]).toEqual({
      kind: 'start',
      mediaType: 'audio',
      to: { userAgent: 'UCC/16', userAgentType: 4, further: { Port: 'none' } },
      protocol: 'UDP',
      bandwidth: { average: 60_000, maximum: 105_000, multiplexed: 2 },
      codecs: [{ name: 'SILK/16000', payloadType: 104, low: 47_700 }],
      via: ['one'],
    });
    expect(events[4]).toMatchObject({
      responseCode: { code: 488, phrase: 'Not Acceptable Here' },
      diagnostics: { code: 52_017, items: [{ key: 'reason', value: "Encryption levels don't match" }] },
      diagnosticsClient: { code: 7 },
    });
    expect(events[5]).toMatchObject({
      streamQuality: 'Poor',
      metrics: { RoundTrip: { value: 212 } },
      route: [{ address: '192.0.2.9', rtt: 3 }, { address: '192.0.2.8' }],
    });
    expect(outcome).toEqual({ responseCode: { code: 200, phrase: 'OK' } });
    expect(rawSdp).toBe('v=0');
  });
});

describe('an element that is repeated', () => {
  it('is read as one, and values of the first ones win', () => {
    const repeated =
      '<Route via="a"><Hop>192.0.2.1</Hop></Route><Route via="b" by="c"><Hop>192.0.2.2</Hop></Route>' +
      '<Properties><ResponseCode Code="488"/></Properties><Properties><ResponseCode Code="200"/></Properties>';
    const { route, outcome, further } = withCallId(repeated);
    expect(route).toEqual([{ address: '192.0.2.1' }, { address: '192.0.2.2' }]);
    expect(outcome).toEqual({ responseCode: { code: 488 } });
    expect(further).toMatchObject({ 'Route@via': 'a', 'Route@by': 'c' });
  });

  it.each([
    ['Route', ''],
    ['Properties', ''],
    ['Route', 'Start'],
    ['Properties', 'Start'],
    ['Route', 'QualityUpdate'],
    ['Properties', 'QualityUpdate'],
    ['Properties', 'Ended'],
  ])('takes linear time: %s with other attributes each time, inside %j', (name, event) => {
    const attributes = (n: number): string =>
      Array.from({ length: 32 }, (_, i) => ` a${(n * 32 + i).toString(36)}="1"`).join('');
    const repeated = Array.from({ length: 1_650 }, (_, n) => `<${name}${attributes(n)}/>`).join('');
    const begun = process.cpuUsage();
    const { cut } = withCallId(event === '' ? repeated : `<${event}>${repeated}</${event}>`);
    // About 50 ms. To copy all attributes for each element took 3 seconds and a gigabyte.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
    expect(cut).toHaveLength(32);
  });
});

describe('reading a feed message', () => {
  it('accepts the default names with every profile, and otherwise only those of its own profile', () => {
    expect(read(startRecord, msProfile)).toEqual(read(startRecord, defaultProfile));
    expect(() => read(laterRecord, defaultProfile)).toThrow('Unknown root element "LyncDiagnostics".');
  });

  it('accepts the names of a custom profile', () => {
    const feed = { ...defaultProfile.feed, recordRoot: 'AcmeDiagnostics', diagnosticsElement: 'AcmeText' };
    const xml = startRecord.replaceAll('Diagnostics', 'AcmeDiagnostics');
    expect(read(xml, { ...defaultProfile, feed })).toEqual(read(startRecord));
    const failed = errorRecord.replaceAll('VendorDiagnostics', 'AcmeText');
    expect(read(failed, { ...defaultProfile, feed }).events).toEqual(read(errorRecord).events);
  });

  it('uses local names, and ignores namespace, declaration, order and byte order mark', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
      <!-- by hand --><d:Diagnostics xmlns:d="urn:x" d:Version="1.0">
      <d:Ended><d:EndPoint><d:Id>a</d:Id></d:EndPoint></d:Ended>
      <d:ConnectionInfo><d:CallId>c1</d:CallId></d:ConnectionInfo></d:Diagnostics>`;
    expect(read(Buffer.from(`\u{feff}${xml}`))).toEqual({
      version: '1.0',
      connection: { callId: 'c1', frontEnds: [] },
      events: [{ kind: 'ended', endpoints: [{ id: 'a' }] }],
    });
  });

  it('accepts a record that is only a header', () => {
    expect(withCallId('')).toEqual({ connection: { callId: 'c1', frontEnds: [] }, events: [] });
  });

  it('omits empty values, and keeps values of the wrong type as text', () => {
    const from = '<From><Id/><Port>70000</Port><VPN>maybe</VPN><Inside>1</Inside></From>';
    expect(withCallId(`<Start>${from}</Start>`).events).toEqual([
      { kind: 'start', from: { inside: true, further: { Port: '70000', VPN: 'maybe' } }, codecs: [] },
    ]);
  });

  it('reads text in references and CDATA', () => {
    const { connection } = read(
      '<Diagnostics><ConnectionInfo><CallId>a&amp;<![CDATA[<b>]]>&#x263A;</CallId></ConnectionInfo></Diagnostics>',
    );
    expect(connection.callId).toBe('a&<b>☺');
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('is not harmed by elements named %s', (name) => {
    const hostile = `<${name} ${name}="1">x</${name}>`;
    const { events } = withCallId(
      `${hostile}<QualityUpdate><From>${hostile}</From><Properties>${hostile}</Properties></QualityUpdate>`,
    );
    expect(Object.keys({})).toEqual([]);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(JSON.parse(JSON.stringify(events[0])).metrics)).toBe(Object.prototype);
    expect(JSON.stringify(events)).not.toContain('__proto__');
  });

  it('cuts unknown texts that are too long, and lists them', () => {
    const { events, cut } = withCallId(`<Start><From><Odd>${'x'.repeat(1_025)}</Odd></From></Start>`);
    expect(events).toEqual([{ kind: 'start', from: { further: { Odd: 'x'.repeat(1_024) } }, codecs: [] }]);
    expect(cut).toEqual(['Odd']);
  });

  it.each([
    ['CaptureDevice', '+4915112345678'],
    ['CaptureDevice', '007'],
    ['RenderDeviceDriver', '6.10'],
  ])('keeps the text of the device in %s: %s', (name, text) => {
    const { events } = withCallId(`<QualityUpdate><Properties><${name}>${text}</${name}></Properties></QualityUpdate>`);
    expect(events).toMatchObject([{ metrics: { [name]: { value: text } } }]);
  });

  it('returns data that can be stored as JSON', () => {
    const record = withCallId('<QualityUpdate><Properties><A>1E+999</A><B>-0</B></Properties></QualityUpdate>');
    expect(record.events).toEqual([
      { kind: 'qualityUpdate', codecs: [], metrics: { A: { value: '1E+999' }, B: { value: 0 } } },
    ]);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  it('recognises a configuration request by its root', () => {
    const xml = '<GetConfiguration Version="1.0"><Pool/><FrontEnd>fe1</FrontEnd><CurrentVersion/></GetConfiguration>';
    expect(readFeedMessage(xml, defaultProfile)).toEqual({
      kind: 'configurationRequest',
      request: { version: '1.0', frontEnd: 'fe1' },
    });
  });
});
