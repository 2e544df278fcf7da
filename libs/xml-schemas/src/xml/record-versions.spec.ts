import { msProfile } from '@ringdown/vendor-profile';
import { endOfC, headerOfC, holdOfA, qualityOfD, startOfA, unknownOfE } from '../../test/later-records.js';
import { connectionKind } from '../model/connection-kind.js';
import type { DiagnosticsRecord } from '../model/record.js';
import { EXTENSIONS_LIMIT } from './extension-collector.js';
import { readFeedMessage } from './read-feed-message.js';
import { writeRecord } from './write-record.js';

function read(xml: string): DiagnosticsRecord {
  const message = readFeedMessage(xml, msProfile);
  if (message.kind !== 'record') throw new Error('not a record');
  return message.record;
}

const anna = { id: 'a1', epId: 'e1', uri: 'sip:anna@example.test' };
const ben = { id: 'b2', epId: 'e2', uri: 'sip:ben@example.test' };

describe('a record of version A', () => {
  it('has codecs with the bandwidths of 1.0 or of C, and the outcome of the request', () => {
    expect(read(startOfA)).toEqual({
      version: 'A',
      connection: {
        callId: '8f14e45f',
        correlationId: 'corr',
        cseq: 2,
        conferenceUri: 'sip:anna@example.test;gruu;opaque=app:conf:audio-video:id:X',
        frontEnds: [],
      },
      events: [
        {
          kind: 'start',
          mediaType: 'audio',
          from: { ...anna, ip: '192.0.2.1' },
          to: ben,
          protocol: 'UDP',
          codecs: [
            { name: 'SIREN/16000', low: 52_600, high: 68_600 },
            { name: 'PCMU/8000', low: 97_000, high: 161_000 },
          ],
        },
      ],
      route: [{ address: '192.0.2.9' }],
      outcome: {
        responseCode: { code: 200, phrase: 'OK' },
        diagnosticsPublic: { code: 1, items: [{ key: 'reason', value: 'x' }], text: '1; reason="x"' },
      },
    });
  });

  it('names endpoints without a direction while a stream is on hold', () => {
    expect(read(holdOfA).events).toEqual([{ kind: 'update', mediaType: 'audio', endpoints: [anna, ben], codecs: [] }]);
  });
});

describe('a record of version C', () => {
  it('has the ends of both directions and the goodbye in one record', () => {
    const { connection, events } = read(endOfC);
    expect(connection).toMatchObject({
      sourcePool: 'pool.example.test',
      timeStamp: '2026-03-04T11:25:27.1234567+02:00',
    });
    expect(events).toEqual([
      { kind: 'ended', mediaType: 'audio', from: anna, to: ben },
      expect.objectContaining({
        kind: 'ended',
        from: ben,
        to: anna,
        diagnostics: expect.objectContaining({ code: 51_004 }),
      }),
      { kind: 'bye', endpoints: [anna, ben] },
    ]);
  });

  it('may consist only of a header', () => {
    expect(read(headerOfC)).toEqual({
      version: 'C',
      connection: { callId: '8f14e45f', cseq: 4, frontEnds: [] },
      events: [],
    });
  });
});

describe('a record of version D', () => {
  it('contains all known fields of an endpoint; values of the wrong type are kept as text', () => {
    const [event] = read(qualityOfD).events;
    expect(event).toEqual({
      kind: 'qualityUpdate',
      mediaType: 'audio',
      from: {
        ...anna,
        ip: '192.0.2.1',
        port: 50_012,
        epType: 'LRS',
        reflexiveIp: '198.51.100.1',
        reflexivePort: 61_000,
        hostIp: '10.0.0.1',
        hostPort: 50_013,
        userAgent: 'UCCAPI/16',
        userAgentType: 4,
        incallEnabled: true,
        trunk: 't1',
        assertedIdentity: 'sip:anna@example.test,tel:+493012345',
        tenantId: 'tenant',
        vpn: false,
        wireless: true,
        connection: 'wifi',
        subnet: '192.0.2.0',
        linkSpeed: 4_294_967_300,
        dscpInbound: 46,
        mac: '00-15-5D-00-11-22-33-44',
        os: 'Windows',
        cpuName: 'CPU ®',
        cpuCores: 4,
        cpuSpeed: '2394',
        virtualization: 'HyperV',
        bssid: '00-11-22-33-44-55',
        ssid: 'office',
        wifiDriver: 'card (1);card (2)',
        wifiDriverVersion: '1;2',
        wifiChannel: 11,
        wifiHandovers: 2,
        wifiReassociations: 1,
        wifiSignalStrength: 80,
        wifiRssi: 70,
        wifiRadioType: 4,
        wifiRadioFrequency: 5,
        wifiSupportFlags: 3,
        wifiStatusFlags: 1,
        wifiBatteryCharge: 0,
        dnsSuffix: 'example.test',
        further: { DSCPOutbound: 'false' },
      },
      to: ben,
      streamQuality: 'Poor',
      streamQualitySource: 'client',
      codecs: [{ name: 'SILKWIDE/16000' }],
      metrics: { PacketLossRate: { value: 0.0000006 }, CaptureDevice: { value: 'Mikrofon (Ü®)' } },
      route: [{ address: '192.0.2.9', rtt: 3 }],
    });
  });

  it('of any release accepts several names of the WiFi channel', () => {
    const other = read(qualityOfD.replaceAll('WiFiChannel', 'WifiChannel'));
    expect(other).toEqual(read(qualityOfD));
  });
});

describe('a record of a future version', () => {
  it('is read as far as it is known, and unknown content is kept by its path', () => {
    expect(read(unknownOfE)).toEqual({
      version: 'E',
      connection: {
        callId: '8f14e45f',
        frontEnds: [],
        further: { 'CallId@Kind': 'sip', 'Tenant/Id': 't', '@Zone': '7' },
      },
      events: [
        {
          kind: 'start',
          mediaType: 'audio',
          from: { id: 'a1', further: { Id: 'a2', 'Seat@row': '3', '@Role': 'host' } },
          protocol: 'UDP',
          codecs: [{ name: 'OPUS' }],
          further: {
            Cause: 'invite',
            '@Reason': 'new',
            'Properties@Set': 'x',
            'Properties/Codec/Fec': 'on',
            'Properties/Layers/Layer': '1',
          },
        },
      ],
      route: [],
      further: {
        '@Edition': '2',
        'Weather@Unit': 'C',
        'Weather/Rain': 'yes',
        'Weather/Rain[2]': 'later',
        'Properties/Note': 'n',
        'Route@via': 'edge',
        'Route/Leg': '1',
      },
    });
  });

  it('is written completely', () => {
    const record = read(unknownOfE);
    const xml = writeRecord(record, msProfile);
    expect(xml).toContain('<Weather Unit="C"><Rain>yes</Rain><Rain>later</Rain></Weather>');
    expect(read(xml)).toEqual(record);
  });

  it('keeps only a limited amount of unknown content, however it is nested', () => {
    const name = 'n'.repeat(120);
    const nested = `${`<${name}>`.repeat(25)}${'<a>1</a>'.repeat(1_500)}${`</${name}>`.repeat(25)}`;
    const record = read(
      `<LyncDiagnostics><ConnectionInfo><CallId>c</CallId></ConnectionInfo>${nested}</LyncDiagnostics>`,
    );
    const kept = Object.entries(record.further ?? {})
      .flat()
      .join('');
    expect(kept.length).toBeGreaterThan(EXTENSIONS_LIMIT / 2);
    expect(kept.length).toBeLessThanOrEqual(EXTENSIONS_LIMIT);
  });
});

describe('the kind of a connection', () => {
  it.each([
    ['Ethernet', 'wired'],
    ['wired', 'wired'],
    ['Wifi', 'wifi'],
    ['wifi', 'wifi'],
    ['MobileBB', 'mobile'],
    ['Tunnel', 'tunnel'],
    ['Other', 'other'],
    ['carrier pigeon', 'other'],
    [undefined, undefined],
  ])('written as %s is %s', (written, kind) => {
    expect(connectionKind(written)).toBe(kind);
  });
});
