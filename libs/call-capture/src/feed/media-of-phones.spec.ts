import type { TransportAddress } from '@ringdown/capture';
import type { QualityEvent } from '@ringdown/xml-schemas/record';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { streamPackets, writeRtp, type StreamPlan } from '../../test/write-rtp.js';
import { PlayedFeed } from './played-feed.js';

const START = 1_760_000_000_000;
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };

type Packet = Parameters<PlayedFeed['play']>[0] & { readonly at: number };

/** The packets of one call at their times, as phones send them: what they show in the end. */
class Scene {
  private readonly packets: Packet[] = [];

  sip(second: number, payload: Buffer): this {
    this.packets.push({ at: START + second * 1_000, source: PROXY, destination: PROXY, content: 'sip', payload });
    return this;
  }

  rtp(second: number, source: TransportAddress, destination: TransportAddress, payload: Buffer): this {
    this.packets.push({ at: START + second * 1_000, source, destination, content: 'rtp', payload });
    return this;
  }

  stream(second: number, from: TransportAddress, to: TransportAddress, plan: Partial<StreamPlan> = {}): this {
    const sent = streamPackets({ packets: 500, from, to, startAt: START + second * 1_000, jitter: 4, ...plan }, 3);
    for (const { at, bytes } of sent) this.rtp((at - START) / 1_000, from, to, bytes);
    return this;
  }

  call(answer = sdp(BOB.ip, BOB.port), offer = sdp(ALICE.ip, ALICE.port)): this {
    return this.sip(0, request('INVITE', { body: offer })).sip(1, response('200 OK', 'INVITE', { body: answer }));
  }

  /** The reports of the call when the BYE has come. `user`: of the receiver. */
  reports(user: string, mediaType = 'audio'): readonly Readonly<Record<string, number | string>>[] {
    this.sip(100, request('BYE', { cseq: 9, to: BOB_ANSWERING }));
    const events: QualityEvent[] = [];
    const feed = new PlayedFeed({
      frontEnd: 'fe1',
      version: 'D',
      onRecord: (record) =>
        events.push(...record.events.flatMap((each) => (each.kind === 'qualityUpdate' ? each : []))),
    });
    for (const packet of this.packets.toSorted((a, b) => a.at - b.at)) feed.play(packet, packet.at);
    feed.finish();
    const own = events.filter((each) => each.to?.uri?.startsWith(`sip:${user}@`) && each.mediaType === mediaType);
    return own.map(({ metrics }) =>
      Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value])),
    );
  }

  report(user: string, mediaType?: string): Readonly<Record<string, number | string>> {
    const all = this.reports(user, mediaType);
    expect(all).toHaveLength(1);
    return all[0] ?? {};
  }
}

const GOOD = { CapturedPacketLossRate: 0, CapturedPacketLossRateMax: 0 };

describe('the media of phones', () => {
  const scene = (): Scene => new Scene().call();

  it('has no loss and no jitter when keys are pressed', () => {
    const played = scene().stream(2, BOB, ALICE, { ssrc: 2 }).stream(2, ALICE, BOB, { packets: 100 });
    // An event of 800 ms takes the numbers of the audio that it replaces, its end three times.
    for (let n = 0; n < 43; n++) {
      const event = { sequence: 101 + n, timestamp: 1_000 + 100 * 160, payloadType: 101, marker: n === 0 };
      played.rtp(4 + Math.min(n, 40) * 0.02, ALICE, BOB, writeRtp({ ...event, payload: Buffer.alloc(4, n) }));
    }
    const after = { firstSequence: 144, firstTimestamp: 1_000 + 141 * 160, packets: 300 };
    const report = played.stream(4.82, ALICE, BOB, after).report('bob');
    expect(report).toMatchObject({ ...GOOD, CapturedCodec: 'PCMU/8000', CapturedPackets: 443 });
    expect(report['CapturedJitterMax']).toBeLessThan(5);
    expect(report).not.toHaveProperty('CapturedLate');
  });

  it.each([
    ['comfort noise before them', { talkspurt: 50 }],
    ['no packets at all', {}],
  ])('has no loss in pauses of speech with %s', (_how, plan) => {
    const played = scene().stream(2, BOB, ALICE, { ssrc: 2 });
    for (let n = 0; n < 8; n++) {
      const step = n * 4 * 8_000;
      played.stream(2 + n * 4, ALICE, BOB, {
        packets: 100,
        firstSequence: 1 + n * 100,
        firstTimestamp: 1_000 + step,
        ...plan,
      });
    }
    const report = played.report('bob');
    expect(report).toMatchObject({ ...GOOD, CapturedPackets: 800 });
    expect(report['CapturedJitterMax']).toBeLessThan(6);
    expect(report).not.toHaveProperty('CapturedClockJumps');
  });

  it('continues when SSRC and numbers change in the middle of the call', () => {
    const other = { ssrc: 5, firstSequence: 40_000, firstTimestamp: 7 };
    const report = scene()
      .stream(2, BOB, ALICE, { ssrc: 2 })
      .stream(2, ALICE, BOB)
      .stream(12.02, ALICE, BOB, other)
      .report('bob');
    expect(report).toMatchObject({ ...GOOD, CapturedSsrcChanges: 1, CapturedPackets: 1_000 });
  });

  it.each([10, 30, 60])('has its packet rate with packets of %d ms', (packetMs) => {
    const report = scene()
      .stream(2, BOB, ALICE, { ssrc: 2 })
      .stream(2, ALICE, BOB, { packetMs, loss: 0.1 })
      .report('bob');
    expect(Number(report['CapturedPacketRate'])).toBeGreaterThan((0.85 * 1_000) / packetMs);
    expect(Number(report['CapturedPacketRate'])).toBeLessThan((0.95 * 1_000) / packetMs);
    expect(report['CapturedPacketLossRate']).toBeCloseTo(0.1, 1);
  });

  it('is measured when it is encrypted, and is not silent', () => {
    const secure = (text: string): string => text.replace('RTP/AVP', 'RTP/SAVP');
    const played = new Scene().call(secure(sdp(BOB.ip, BOB.port)), secure(sdp(ALICE.ip, ALICE.port)));
    const report = played
      .stream(2, BOB, ALICE, { ssrc: 2 })
      .stream(2, ALICE, BOB, { loss: 0.05, payloadLength: 170 })
      .report('bob');
    expect(report['CapturedPacketLossRate']).toBeCloseTo(0.05, 1);
    expect(report).not.toHaveProperty('CapturedSilence');
  });

  it('is not of one way when video is of one way only, and video has no MOS', () => {
    const both = { videoPort: 6_000 };
    const played = new Scene().call(sdp(BOB.ip, BOB.port, both), sdp(ALICE.ip, ALICE.port, both));
    const [alices, bobs] = [
      { ...ALICE, port: 6_000 },
      { ...BOB, port: 6_000 },
    ];
    const video = { payloadType: 97, clockRate: 90_000, ssrc: 3, packetMs: 5 };
    played.stream(2, ALICE, BOB).stream(2, BOB, ALICE, { ssrc: 2 }).stream(2, alices, bobs, video);
    expect(played.report('bob')).not.toHaveProperty('CapturedOneWay');
    const report = played.report('bob', 'video');
    expect(report).toMatchObject({ CapturedOneWay: 1, CapturedCodec: 'H264/90000' });
    expect(report).not.toHaveProperty('ComputedMOS');
  });

  it('goes on at the ports of a re-INVITE', () => {
    const moved = { ip: '192.0.2.11', port: 4_100 };
    const played = scene().stream(2, BOB, ALICE, { ssrc: 2 }).stream(2, ALICE, BOB);
    const change = { cseq: 2, to: BOB_ANSWERING, branch: 'z9hG4bK-2' };
    played.sip(13, request('INVITE', { ...change, body: sdp(moved.ip, moved.port) }));
    played.sip(13.1, response('200 OK', 'INVITE', { ...change, body: sdp(BOB.ip, BOB.port) }));
    const next = { firstSequence: 501, firstTimestamp: 1_000 + 550 * 160 };
    played.stream(13.2, BOB, moved, { ssrc: 2, ...next }).stream(13.2, moved, BOB, next);
    for (const user of ['alice', 'bob']) expect(played.report(user)).toMatchObject({ ...GOOD });
    expect(played.report('bob')).toMatchObject({ CapturedPackets: 1_000 });
    expect(played.report('bob')).not.toHaveProperty('CapturedOneWay');
    expect(played.report('alice')['CapturedPackets']).toBe(1_000);
  });

  it('is not of one way on hold', () => {
    const played = scene().stream(2, BOB, ALICE, { ssrc: 2 }).stream(2, ALICE, BOB);
    const change = { cseq: 2, to: BOB_ANSWERING, branch: 'z9hG4bK-2' };
    const held = (ip: string, port: number): string => sdp(ip, port, { audio: ['a=inactive'] });
    played.sip(13, request('INVITE', { ...change, body: held(ALICE.ip, ALICE.port) }));
    played.sip(13.1, response('200 OK', 'INVITE', { ...change, body: held(BOB.ip, BOB.port) }));
    for (const user of ['alice', 'bob']) {
      const report = played.report(user);
      expect(report).toMatchObject({ ...GOOD, CapturedPackets: 500 });
      expect(report).not.toHaveProperty('CapturedOneWay');
    }
  });

  it('counts for the caller from two ringing phones', () => {
    const other = { ip: '192.0.2.30', port: 7_000 };
    const played = new Scene().sip(0, request('INVITE', { body: sdp(ALICE.ip, ALICE.port) }));
    played.sip(
      0.5,
      response('183 Session Progress', 'INVITE', {
        to: '<sip:bob@example.test>;tag=c1',
        body: sdp(other.ip, other.port),
      }),
    );
    played.sip(0.6, response('183 Session Progress', 'INVITE', { body: sdp(BOB.ip, BOB.port) }));
    played.stream(1, other, ALICE, { ssrc: 3, packets: 200 }).stream(1, BOB, ALICE, { ssrc: 2, packets: 1_000 });
    played.sip(6, response('200 OK', 'INVITE', { body: sdp(BOB.ip, BOB.port) })).stream(6, ALICE, BOB);
    expect(played.report('alice')).toMatchObject({ ...GOOD, CapturedSsrcChanges: 1, CapturedPackets: 1_200 });
    expect(played.report('bob')).toMatchObject({ ...GOOD, CapturedPackets: 500 });
  });

  it('ends with a change to T.38', () => {
    const fax = (ip: string): string => `${sdp(ip, 0)}m=image 9000 udptl t38\r\na=T38FaxVersion:0\r\n`;
    const played = scene().stream(2, BOB, ALICE, { ssrc: 2 }).stream(2, ALICE, BOB);
    const change = { cseq: 2, to: BOB_ANSWERING, branch: 'z9hG4bK-2' };
    played.sip(13, request('INVITE', { ...change, body: fax(ALICE.ip) }));
    played.sip(13.1, response('200 OK', 'INVITE', { ...change, body: fax(BOB.ip) }));
    const report = played.report('bob');
    expect(report).toMatchObject({ ...GOOD, CapturedPackets: 500 });
    expect(report).not.toHaveProperty('CapturedOneWay');
  });
});
