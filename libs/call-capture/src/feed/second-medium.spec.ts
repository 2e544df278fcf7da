import type { QualityEvent } from '@ringdown/xml-schemas/record';
import type { CallPacket } from '../../test/differential/scripted-call.js';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';
import { PlayedFeed } from './played-feed.js';

const AT = 1_760_000_000_000;
const TEXT = {
  lines: 'm=text 4100 RTP/AVP 98\r\na=rtpmap:98 t140/1000\r\n',
  plan: { payloadType: 98, clockRate: 1_000, packetMs: 300, payloadLength: 6, packets: 30, loss: 0.4 },
};
const VIDEO = {
  lines: 'm=video 4100 RTP/AVP 98\r\na=rtpmap:98 H264/90000\r\n',
  plan: { payloadType: 98, clockRate: 90_000, packetMs: 33, payloadLength: 900, packets: 300, loss: 0.4 },
};
const BY_NAT = ['198.51.100.7', '203.0.113.8'] as const;

/** The reports of a call with two media, all packets of it between these hosts. `shift`: of the ports, by NAT. */
function twoMediaReports(
  second: typeof TEXT,
  [alice, bob]: readonly [string, string],
  shift: number,
): readonly QualityEvent[] {
  const events: QualityEvent[] = [];
  const feed = new PlayedFeed({
    frontEnd: 'fe1',
    version: 'D',
    onRecord: (record) => events.push(...record.events.flatMap((each) => (each.kind === 'qualityUpdate' ? each : []))),
  });
  const body = sdp('192.168.1.10', 4_000) + second.lines;
  const sip = (payload: Buffer, ip: string, at: number): void =>
    feed.play(
      { source: { ip, port: 5_060 }, destination: { ip: '192.0.2.1', port: 5_060 }, content: 'sip', payload },
      at,
    );
  sip(request('INVITE', { body }), alice, AT);
  sip(response('200 OK', 'INVITE', { body }), bob, AT + 1_000);
  const stream = (from: string, to: string, port: number, plan: Partial<StreamPlan>): readonly CallPacket[] => {
    const ends = { from: { ip: from, port: port + shift }, to: { ip: to, port: port + shift } };
    const full = { packets: 400, startAt: AT + 2_000, ...ends, ...plan };
    return streamPackets(full, 3).map(({ at, bytes }) => ({ at, ...ends, bytes }));
  };
  const packets = [
    ...stream(alice, bob, 4_000, { ssrc: 1 }),
    ...stream(bob, alice, 4_000, { ssrc: 2 }),
    ...stream(alice, bob, 4_100, { ...second.plan, ssrc: 3 }),
    ...stream(bob, alice, 4_100, { ...second.plan, ssrc: 4 }),
  ].toSorted((one, other) => one.at - other.at);
  for (const { at, from, to, bytes } of packets)
    feed.play({ source: from, destination: to, content: 'rtp', payload: bytes }, at);
  sip(request('BYE', { cseq: 2, to: BOB_ANSWERING }), alice, AT + 20_000);
  feed.finish();
  return events;
}

const WHERE = [
  ['at the named addresses', ['192.168.1.10', '192.168.1.11'] as const, 0],
  ['behind NAT that keeps ports', BY_NAT, 0],
  ['behind NAT that changes ports', BY_NAT, 20_000],
] as const;

function expectWholeAudio(reports: readonly QualityEvent[]): void {
  const audio = reports.filter(({ mediaType }) => mediaType === 'audio');
  expect(audio).toHaveLength(2);
  for (const { metrics } of audio) {
    expect(metrics).toMatchObject({ CapturedPackets: { value: 400 }, CapturedPacketLossRate: { value: 0 } });
    expect(metrics).not.toHaveProperty('CapturedSsrcChanges');
  }
}

describe('a second medium', () => {
  it.each(WHERE)('of text (T.140) is not part of the audio %s, and has no report', (_where, hosts, shift) => {
    const reports = twoMediaReports(TEXT, hosts, shift);
    expectWholeAudio(reports);
    expect(reports).toHaveLength(2);
  });

  it.each(WHERE)('of video is measured by itself %s', (_where, hosts, shift) => {
    const reports = twoMediaReports(VIDEO, hosts, shift);
    expectWholeAudio(reports);
    const video = reports.filter(({ mediaType }) => mediaType === 'video');
    expect(video.map(({ metrics }) => metrics['CapturedCodec']?.value)).toEqual(['H264/90000', 'H264/90000']);
    for (const { metrics } of video) expect(metrics['CapturedPacketLossRate']?.value).toBeCloseTo(0.4, 1);
  });
});
