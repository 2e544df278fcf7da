import { parseDiagnostics } from '@ringdown/xml-schemas/fields';
import { anna, ben, end, example, failure, report, start, stream } from '../../test/call-examples.js';
import { deriveCall } from '../calls/derive-call.js';
import type { Call } from '../calls/call.js';
import { CSV_COLUMNS, CSV_HEAD, csvLine as lineOf } from './call-csv.js';
import { listedCall } from './listed-call.js';

/** In the order in which they came: a new row of the catalogue must not move the others. */
const HEAD = [
  'callId,state,endReason,beganAt,endedAt,durationSeconds,verdict,causeMetric,causeValue,causeThreshold,causeMedium,partial,version,frontEnds,users,addresses,media,errorCodes,diagnosticsCodes',
  'conversationId,conferenceId,correlationId,coverage,endedBy,endCode,invitedAt,setupSeconds,ringSeconds,postDialSeconds,feeds,pools',
  'loss,jitter,roundTrip,mos,device,os,relay,trunk,tenantId,ssid,bssid,mac,driver,dscp,vpn,inside,category,mediaBypass',
  'caller,callee,sites,audio,refusedBy',
].join(',');

const csvLine = (call: Call): string => lineOf(listedCall(call));

describe('the CSV row of a call', () => {
  const { call } = deriveCall([start(), end(), failure(403), example([report({ RecvFrameRateAverage: 3 })])]);

  it('has its columns in an order that stays: scripts read them by position', () => {
    expect(CSV_HEAD).toBe(`${HEAD}\r\n`);
  });

  it('has each column in a place of its own, and none is left out', () => {
    expect(CSV_COLUMNS.map(({ column }) => column)).toEqual(CSV_COLUMNS.map((_, at) => at + 1));
  });

  it('has a cell for every column', () => {
    expect(CSV_HEAD).toMatch(/^callId,state,endReason,beganAt,[A-Za-z,]+\r\n$/);
    expect(csvLine(call).split(',')).toHaveLength(CSV_HEAD.split(',').length);
    expect(csvLine(call)).toMatch(
      /^C1,ended,ended,2026-03-02T10:00:00.000Z,2026-03-02T10:05:00.000Z,300,bad,RecvFrameRateAverage,3,7,video,false,4,/,
    );
    expect(csvLine(call)).toContain(`,${anna.uri} ${ben.uri},`);
    expect(csvLine(call)).toContain(',403,');
  });

  it('has the ids of diagnostics of the end and of errors, each once', () => {
    const diagnostics = parseDiagnostics('10004;reason="Gateway failed"');
    const gone = example([{ kind: 'ended', diagnostics, diagnosticsClient: diagnostics }], { at: '05:00' });
    const cells = csvLine(deriveCall([start(), gone]).call).split(',');
    expect(cells[CSV_HEAD.split(',').indexOf('diagnosticsCodes')]).toBe('10004');
  });

  it('has the worst metrics of the streams, and devices and networks of the parties', () => {
    const far = { ...anna, trunk: 'trunk1', os: 'Debian 13', vpn: true };
    const records = [
      example([stream('audio', far, { ...ben, os: 'Windows 11' })]),
      example([report({ PacketLossRate: 0.03, JitterInterArrival: 12 }, { mediaType: 'audio' })]),
    ];
    const cells = csvLine(deriveCall(records).call).trimEnd().split(',');
    const cellOf = (column: string): string | undefined => cells[CSV_HEAD.trimEnd().split(',').indexOf(column)];
    expect(['loss', 'jitter', 'roundTrip', 'trunk', 'os', 'vpn', 'bssid'].map(cellOf)).toEqual([
      '0.03',
      '12',
      '',
      'trunk1',
      '"Debian 13; Windows 11"',
      'true',
      '',
    ]);
  });

  it('has the MOS of a codec that is hidden, too, as the list of calls has it', () => {
    const bad = report({ PacketLossRate: 0.1 }, { mediaType: 'audio', codecs: [{ name: 'GSM-EFR/8000' }] });
    const row = listedCall(deriveCall([example([stream('audio', anna, ben)]), example([bad])]).call);
    const hidden = JSON.parse(JSON.stringify(row).replaceAll('GSM-EFR', 'GSM-hidden-F7AC'));
    expect(row.worst.mos).toBeGreaterThan(1);
    expect(lineOf(hidden).split(',')[HEAD.split(',').indexOf('mos')]).toBe(String(row.worst.mos));
  });

  it('has caller and callee apart, and the sites of both', () => {
    const [caller, callee] = call.parties;
    if (caller === undefined || callee === undefined) throw new Error('the call has two parties');
    const placed = {
      ...call,
      parties: [
        { ...caller, site: 'Oslo' },
        { ...callee, site: 'Bergen by' },
      ],
    };
    expect(csvLine(placed)).toMatch(new RegExp(`,${RegExp.escape(`${anna.uri},${ben.uri},"Oslo; Bergen by",,`)}\r\n$`));
  });

  it('has the audio that did not arrive, and where a call was refused', () => {
    const audio = { heard: 'oneWay', evidence: 'noPackets', from: anna.uri ?? null, to: null } as const;
    const refused = { ...call, audio, end: call.end && { ...call.end, refusedBy: { hop: '10.0.0.9', trunk: null } } };
    expect(csvLine(refused)).toMatch(/,oneWay,10[.]0[.]0[.]9\r\n$/);
  });

  it('leaves a cell empty when the value is not known', () => {
    const active = deriveCall([example([stream('audio', anna, ben)])]).call;
    expect(csvLine(active)).toMatch(/^C1,active,,2026-03-02T10:00:00.000Z,,,unknown,,,,,/);
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+47', "'+47"],
    ['-1', "'-1"],
    ['@here', "'@here"],
    ['plain; text', '"plain; text"'],
    ['a;=1+1', `"a;'=1+1"`],
    ['a;  =1+1', `"a;'  =1+1"`],
    ['a;"=1+1', `"a;'""=1+1"`],
    ['a\t@here', `"a\t'@here"`],
    ['a\n-1;+2|=3', `"a\n'-1;'+2|'=3"`],
    ['\t=1', `"'\t'=1"`],
    ['＝1', "'＝1"],
    ['a-b;c+d', '"a-b;c+d"'],
  ])('escapes %j so that it stays one cell and is not a formula', (callId, written) => {
    expect(csvLine({ ...call, callId }).startsWith(`${written},ended,`)).toBe(true);
  });
});
