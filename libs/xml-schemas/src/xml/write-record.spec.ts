import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import * as fc from 'fast-check';
import { arbitraryDocument } from '../../test/arbitrary-document.js';
import { arbitraryRecord } from '../../test/arbitrary-record.js';
import { errorRecord, laterRecord, qualityRecord, startRecord } from '../../test/sample-records.js';
import type { DiagnosticsRecord } from '../model/record.js';
import { readFeedMessage } from './read-feed-message.js';
import { writeRecord } from './write-record.js';

function read(xml: string): DiagnosticsRecord {
  const message = readFeedMessage(xml, msProfile);
  if (message.kind !== 'record') throw new Error('not a record');
  return message.record;
}

describe('a written record', () => {
  it.each([defaultProfile, msProfile])('is read as it was, with the profile $name', (profile) => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        const message = readFeedMessage(writeRecord(record, profile), profile);
        expect(message).toEqual({ kind: 'record', record });
      }),
      { numRuns: 200 },
    );
  });

  it('contains everything that was read from a document, including unknown content', () => {
    fc.assert(
      fc.property(arbitraryDocument, (xml) => {
        const record = read(xml);
        expect(read(writeRecord(record, msProfile))).toEqual(record);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same after a conversion to JSON and back', () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        expect(JSON.parse(JSON.stringify(record))).toEqual(record);
      }),
      { numRuns: 100 },
    );
  });

  it('has the names of the profile', () => {
    const xml = writeRecord(read(errorRecord), msProfile);
    expect(xml).toMatch(/^<LyncDiagnostics Version="1\.0"><ConnectionInfo><FrontEnd>fe1\.example\.test<\/FrontEnd>/);
    expect(xml).toContain('<ResponseCode Code="403">Forbidden</ResponseCode><MSDiagnostics>11007;');
  });

  it('has the format of version 1.0', () => {
    expect(writeRecord(read(startRecord), defaultProfile)).toContain(
      '<EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High></EstimatedBandwidth><EstimatedBandwidth Codec="RED/8000"/>',
    );
    const quality = writeRecord(read(qualityRecord), defaultProfile);
    expect(quality).toContain('<Inside>True</Inside><VPN>False</VPN>');
    expect(quality).toContain('<VideoPacketLossRate Limit="0.1">0.25</VideoPacketLossRate>');
  });

  it('has the format of a later version', () => {
    const xml = writeRecord(read(laterRecord), msProfile);
    expect(xml).toContain('<FrontEnds>fe1.example.test,fe2.example.test</FrontEnds>');
    expect(xml).toContain('<Codec Name="SILK/16000" PayLoadType="104"><Bandwidth>47700</Bandwidth></Codec>');
    expect(xml).toContain('<ResponseCode>488</ResponseCode><ResponsePhrase>Not Acceptable Here</ResponsePhrase>');
    expect(xml).toContain('<UserAgent Type="4">UCC/16</UserAgent>');
  });

  it('has the format of C without a version, unless its events are those of 1.0', () => {
    const codec = { name: 'PCMU/8000', low: 83_200 };
    const written = (kind: 'start' | 'startOrUpdate'): string =>
      writeRecord(
        {
          connection: { callId: 'c', frontEnds: [] },
          events: [{ kind, from: { vpn: true }, codecs: [codec] }],
        },
        msProfile,
      );
    expect(written('start')).toMatch(
      /^<LyncDiagnostics>.*<VPN>true<\/VPN>.*<Codec Name="PCMU\/8000"><Bandwidth>83200</,
    );
    expect(written('startOrUpdate')).toMatch(/<VPN>True<\/VPN>.*<EstimatedBandwidth Codec="PCMU\/8000"><Low>83200</);
  });

  it('escapes special characters, and replaces characters that XML cannot contain', () => {
    const record: DiagnosticsRecord = {
      connection: { callId: '</CallId><CallId>x\0\u{1f600}', frontEnds: [], originator: '"><x y="' },
      events: [],
      rawSdp: ']]>--><!-- \u{d800}',
    };
    const xml = writeRecord(record, defaultProfile);
    expect(read(xml)).toEqual({
      connection: { callId: '</CallId><CallId>x\u{fffd}\u{1f600}', frontEnds: [], originator: '"><x y="' },
      events: [],
      rawSdp: ']]>--><!-- \u{fffd}',
    });
  });

  it('omits invalid names of extensions and metrics', () => {
    const metrics = { 'A><B': { value: 1 }, '': { value: 1 }, Good: { value: 1 } };
    const extensions = {
      'x y': '1',
      'Ok@a b': '2',
      '@b': '3',
      Fine: '4',
      '': '5',
      'a//b': '6',
      'a@b@c': '7',
      'a[x]': '8',
    };
    const xml = writeRecord(
      {
        connection: { callId: 'c', frontEnds: [], further: extensions },
        events: [{ kind: 'qualityUpdate', codecs: [], metrics }],
      },
      defaultProfile,
    );
    const { connection, events } = read(xml);
    expect(connection.further).toEqual({ Fine: '4', '@b': '3' });
    expect(events).toEqual([{ kind: 'qualityUpdate', codecs: [], metrics: { Good: { value: 1 } } }]);
  });
});
