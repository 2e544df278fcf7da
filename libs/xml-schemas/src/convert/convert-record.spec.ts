import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import * as fc from 'fast-check';
import { arbitraryRecord } from '../../test/arbitrary-record.js';
import { endOfC, qualityOfD, startOfA, unknownOfE } from '../../test/later-records.js';
import { errorRecord, laterRecord, startRecord } from '../../test/sample-records.js';
import { convertRecord } from './convert-record.js';
import type { DiagnosticsRecord, RecordEvent } from '../model/record.js';
import { readFeedMessage, writeRecord } from '../index.js';

function read(xml: string): DiagnosticsRecord {
  const message = readFeedMessage(xml, msProfile);
  if (message.kind !== 'record') throw new Error('not a record');
  return message.record;
}

function ofD(
  events: readonly RecordEvent[],
  connection: Partial<DiagnosticsRecord['connection']> = {},
): DiagnosticsRecord {
  return { version: 'D', connection: { callId: 'c1', frontEnds: ['fe1'], ...connection }, events };
}

const anna = { id: 'a1', epId: 'e1', uri: 'sip:anna@example.test', ip: '192.0.2.1', port: 50_000 };
const ben = {
  id: 'b2',
  epId: 'e2',
  uri: 'sip:ben@example.test',
  contact: 'sip:ben;gruu',
  ip: '192.0.2.2',
  port: 50_002,
};

describe('a record for a receiver of C', () => {
  it('loses the fields of D, and has its pool in the field of C', () => {
    const xml = convertRecord(read(qualityOfD), 'C').map((record) => writeRecord(record, msProfile));
    expect(xml).toHaveLength(1);
    expect(xml[0]).toMatch(/^<LyncDiagnostics Version="C">/);
    expect(xml[0]).toContain('<SourcePool>pool.example.test</SourcePool>');
    expect(xml[0]).toContain('<UserAgent>UCCAPI/16</UserAgent><IncallEnabled>true</IncallEnabled>');
    expect(xml[0]).not.toMatch(/FrontEnds|Pools|Trunk|PAI|TenantId|Host|Wireless|<Subnet|Source=|RTT|SSID>office/);
  });

  it('keeps the WiFi fields and unknown elements if the receiver accepts the extension', () => {
    const [record] = convertRecord(read(qualityOfD), 'C', { extension: true });
    const xml = record === undefined ? '' : writeRecord(record, msProfile);
    expect(xml).toContain('<SSID>office</SSID>');
    expect(xml).toContain('<DSCPOutbound>false</DSCPOutbound>');
    expect(xml).not.toContain('<Trunk>');
    expect(convertRecord(read(unknownOfE), 'C', { extension: true })[0]?.further).toMatchObject({
      'Weather/Rain': 'yes',
    });
    expect(convertRecord(read(unknownOfE), 'C')[0]?.further).toBeUndefined();
  });

  it('is converted once, and not changed by a second conversion', () => {
    fc.assert(
      fc.property(arbitraryRecord, fc.boolean(), (record, extension) => {
        const [once] = convertRecord({ ...record, version: 'D' }, 'C', { extension });
        const [twice] = convertRecord({ ...once, version: 'D' } as DiagnosticsRecord, 'C', { extension });
        expect(twice).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a record for a receiver of 1.0', () => {
  it('becomes one record for each kind', () => {
    const kinds = convertRecord(read(laterRecord), '1.0').map(({ version, connection, events }) => {
      return [version, connection.frontEnds.join(), ...events.map(({ kind }) => kind)];
    });
    expect(kinds).toEqual([
      ['1.0', 'fe1.example.test', 'error'],
      ['1.0', 'fe1.example.test', 'ended'],
    ]);
  });

  it('contains all known fields of both ends in every stream', () => {
    const codecs = [{ name: 'SILK/16000', payloadType: 104, low: 47_700, high: 105_000 }];
    const events: readonly RecordEvent[] = [
      { kind: 'invite', caller: anna },
      { kind: 'start', mediaType: 'audio', from: { ...anna, trunk: 't' }, to: ben, protocol: 'UDP', codecs },
      { kind: 'start', mediaType: 'audio', from: { id: 'B2' }, to: { id: 'a1' }, codecs: [] },
      { kind: 'start', mediaType: 'video', from: { id: 'a1', port: 6 }, to: { id: 'b2' }, codecs: [] },
    ];
    const connection = {
      conversationId: 'v',
      conferenceId: 'X',
      cseq: 2,
      timeStamp: '2026-03-04T11:25:27.1234567+02:00',
    };
    const { contact: _contact, ...benAsSender } = ben;
    const { port: _port, ...benWithoutPort } = ben;
    expect(convertRecord(ofD(events, connection), '1.0')).toEqual([
      {
        version: '1.0',
        connection: {
          callId: 'c1',
          frontEnds: ['fe1'],
          cseq: 2,
          conversationId: 'v',
          timeStamp: '2026-03-04T09:25:27.1234567Z',
        },
        events: [
          {
            kind: 'startOrUpdate',
            mediaType: 'audio',
            from: anna,
            to: ben,
            protocol: 'UDP',
            codecs: [{ name: 'SILK/16000', low: 47_700, high: 105_000 }],
          },
          { kind: 'startOrUpdate', mediaType: 'audio', from: { ...benAsSender, id: 'B2' }, to: anna, codecs: [] },
          { kind: 'startOrUpdate', mediaType: 'video', from: { ...anna, port: 6 }, to: benWithoutPort, codecs: [] },
        ],
      },
    ]);
  });

  it('ends the call with a goodbye or with its audio, but not with its video', () => {
    const ended = (mediaType: string): RecordEvent => ({ kind: 'ended', mediaType, from: { id: 'a1' }, to: ben });
    const over = [{ kind: 'ended', endpoints: [{ id: 'a1' }, { id: 'b2', epId: 'e2', uri: ben.uri }] }];
    const kindsOf = (...events: readonly RecordEvent[]): unknown =>
      convertRecord(ofD(events), '1.0').flatMap((record) => record.events);
    expect(kindsOf(ended('audio'), ended('audio'))).toEqual(over);
    expect(kindsOf(ended('video'))).toEqual([]);
    expect(kindsOf(ended('video'), { kind: 'bye', endpoints: [{ id: 'a1' }] })).toEqual(over);
    expect(convertRecord(read(endOfC), '1.0')).toMatchObject([{ connection: { frontEnds: ['pool.example.test'] } }]);
  });

  it('has limits beside its metrics, and the bandwidth limit in the element of 1.0', () => {
    const metrics = {
      PacketLossRate: { value: 0.2 },
      PacketUtilization: { value: 9 },
      AppliedBandwidthLimit: { value: 1e6 },
      CaptureDevice: { value: 'mic' },
    };
    const report: RecordEvent = {
      kind: 'qualityUpdate',
      mediaType: 'audio',
      from: anna,
      to: { ...ben, vpn: true },
      streamQuality: 'Bad',
      codecs: [{ name: 'SIREN', low: 1 }],
      metrics,
    };
    const limitOf = (mediaType: string | undefined, metric: string): number | undefined =>
      mediaType === 'audio' && metric === 'PacketLossRate' ? 0.05 : undefined;
    expect(convertRecord(ofD([report], { cseq: 1, endTime: '2026-03-04T09:25:27.1234Z' }), '1.0', { limitOf })).toEqual(
      [
        {
          version: '1.0',
          connection: {
            callId: 'c1',
            frontEnds: ['fe1'],
            endTime: '2026-03-04T09:25:27.1234Z',
            appliedBandwidthLimit: 1_000_000,
          },
          events: [
            {
              kind: 'qualityUpdate',
              mediaType: 'audio',
              from: { id: 'a1', uri: anna.uri, ip: anna.ip, port: anna.port },
              to: { id: 'b2', uri: ben.uri, contact: ben.contact, ip: ben.ip, port: ben.port, vpn: true },
              codecs: [{ name: 'SIREN' }],
              metrics: { PacketLossRate: { value: 0.2, limit: 0.05 }, PacketUtilization: { value: 9 } },
            },
          ],
        },
      ],
    );
  });

  it('has an error with the outcome of the request if the event has none', () => {
    const record = { ...ofD([{ kind: 'error', from: anna, to: ben }]), outcome: { responseCode: { code: 488 } } };
    const [converted] = convertRecord(record, '1.0');
    expect(converted?.events).toMatchObject([
      { kind: 'error', endpoints: [{ id: 'a1' }, { id: 'b2' }], responseCode: { code: 488 } },
    ]);
  });

  it('is the same after a conversion to C, except for the front end, which C does not contain', () => {
    fc.assert(
      fc.property(arbitraryRecord, (some) => {
        const { frontEnds: _frontEnds, pools: _pools, sourcePool: _pool, ...connection } = some.connection;
        const { appliedBandwidthLimit: _limit, dialogCategory: _category, ...rest } = connection;
        const record = { ...some, version: 'D', connection: { ...rest, frontEnds: [] } };
        const options = { frontEnd: 'fe' };
        const direct = convertRecord(record, '1.0', options);
        expect(convertRecord(record, 'C').flatMap((c) => convertRecord(c, '1.0', options))).toEqual(direct);
        for (const each of direct) {
          expect(readFeedMessage(writeRecord(each, defaultProfile), defaultProfile)).toEqual({
            kind: 'record',
            record: each,
          });
          expect(new Set(each.events.map(({ kind }) => kind)).size).toBe(1);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a record that is not newer than the version of the receiver', () => {
  it.each([
    [errorRecord, '1.0'],
    [startRecord, 'C'],
    [startOfA, 'C'],
    [endOfC, 'C'],
    [endOfC, 'D'],
    [qualityOfD, 'D'],
  ] as const)('%# is not changed', (xml, version) => {
    const record = read(xml);
    expect(convertRecord(record, version)).toEqual([record]);
  });

  it('may be one of C without its version, which a receiver of 1.0 cannot read', () => {
    const { version: _version, ...record } = ofD([{ kind: 'bye', endpoints: [anna] }]);
    expect(convertRecord(record, 'C')).toEqual([record]);
    expect(convertRecord(record, '1.0')).toMatchObject([{ version: '1.0', events: [{ kind: 'ended' }] }]);
  });

  it('may be one of 1.0 without its version', () => {
    const { version: _version, ...record } = read(startRecord);
    expect(convertRecord(record, '1.0')).toEqual([record]);
  });

  it('is never converted to a version above D', () => {
    expect(convertRecord(read(unknownOfE), 'D')).toMatchObject([{ version: 'D', further: expect.anything() }]);
  });
});
