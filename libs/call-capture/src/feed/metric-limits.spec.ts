import { rtcpReport } from '../../test/write-rtcp.js';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { isQuality, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { FrontEndFeed } from './front-end-feed.js';

const AT = 1_760_000_000_000;
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const [ALICE, BOB] = ['192.0.2.10', '192.0.2.20'];

/** The metrics in the reports of a call with audio and video, and the limits beside them. */
function limitsIn(version: '1.0' | 'D'): readonly string[] {
  const records: DiagnosticsRecord[] = [];
  const feed = new FrontEndFeed({ frontEnd: 'fe', version, onRecord: (record) => records.push(record) });
  const sip = (payload: Buffer): void =>
    feed.process({ source: PROXY, destination: PROXY, content: 'sip', payload }, 0, AT);
  sip(request('INVITE', { body: sdp(ALICE, 4_000, { videoPort: 4_002 }) }));
  sip(response('200 OK', 'INVITE', { body: sdp(BOB, 5_000, { videoPort: 5_002 }) }));
  for (const offset of [0, 2]) {
    const payload = rtcpReport({ ssrc: 1 + offset, about: 9 + offset, fractionLost: 64 });
    const [source, destination] = [
      { ip: ALICE, port: 4_001 + offset },
      { ip: BOB, port: 5_001 + offset },
    ];
    feed.process({ source, destination, content: 'rtcp', payload }, 0, AT);
  }
  sip(request('BYE', { cseq: 2, to: BOB_ANSWERING }));
  feed.finish();
  const reports = records.flatMap(({ events }) => events.filter((event) => isQuality(event)));
  return reports.flatMap(({ mediaType, metrics }) =>
    Object.entries(metrics).map(([name, { limit }]) => `${mediaType} ${name} ${limit ?? '-'}`),
  );
}

describe('the limits beside metrics', () => {
  it('are in records of 1.0 for the metrics of the specification alone', () => {
    const limits = limitsIn('1.0');
    expect(limits).toContain('audio PacketLossRate -');
    expect(limits).toContain('video JitterInterArrival -');
    expect(limits.filter((each) => !each.endsWith(' -'))).toEqual(['video VideoPacketLossRate 0.1']);
  });

  it('are not in later versions', () => {
    expect(limitsIn('D')).toContain('video VideoPacketLossRate -');
    expect(limitsIn('D').filter((each) => !each.endsWith(' -'))).toEqual([]);
  });
});
