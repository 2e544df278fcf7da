import type { TransportAddress } from '@ringdown/capture';
import { isStream, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { words } from '../../test/event-words.js';
import { PlayedFeed } from '../feed/played-feed.js';
import { request, response, sdp, type MessageParts } from '../../test/sip-messages.js';
import { rtcpReport } from '../../test/write-rtcp.js';
import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';

const START = 1_760_000_000_000;
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
/** Of the border controller, towards Alice and towards Bob. */
const OUTSIDE = { ip: '192.0.2.5', port: 30_000 };
const INSIDE = { ip: '192.0.2.5', port: 30_010 };
const SIGNALLING = { ip: '192.0.2.5', port: 5_060 };
const INNER = { from: '"Alice" <sip:alice@example.test>;tag=x1', branch: 'z9hG4bK-inner' };
const INNER_TO = '<sip:bob@example.test>;tag=y1';

/** It keeps the Call-ID, with tags of its own towards Bob; times in seconds. */
class Scene {
  private readonly packets: (Parameters<PlayedFeed['play']>[0] & { readonly at: number })[] = [];
  readonly records: DiagnosticsRecord[] = [];
  feed: PlayedFeed | undefined;

  add(second: number, content: 'sip' | 'rtp' | 'rtcp', payload: Buffer, from: TransportAddress, to = from): this {
    this.packets.push({ at: START + second * 1_000, content, payload, source: from, destination: to });
    return this;
  }

  sip(second: number, message: Buffer, from: TransportAddress = SIGNALLING): this {
    return this.add(second, 'sip', message, from);
  }

  /** `innerCseq`: the inner dialog may have its own. `outerAt`: the clock of the outer capture point may be behind. */
  start(innerCseq = 1, outerAt = 0): this {
    const inner: MessageParts = { ...INNER, cseq: innerCseq };
    this.add(outerAt, 'sip', request('INVITE', { body: sdp(ALICE.ip, ALICE.port) }), ALICE, SIGNALLING);
    this.sip(0.1, bySelf(request('INVITE', { ...inner, body: sdp(INSIDE.ip, INSIDE.port) })));
    const answer = { ...inner, to: INNER_TO };
    this.sip(0.2, bySelf(response('180 Ringing', 'INVITE', answer)), BOB);
    this.sip(0.3, response('180 Ringing', 'INVITE'));
    this.sip(2, bySelf(response('200 OK', 'INVITE', { ...answer, body: sdp(BOB.ip, BOB.port) })), BOB);
    this.sip(2.1, response('200 OK', 'INVITE', { body: sdp(OUTSIDE.ip, OUTSIDE.port) }));
    this.sip(2.2, request('ACK', { to: '<sip:bob@example.test>;tag=b1', branch: 'z9hG4bK-ack' }), ALICE);
    return this.sip(2.3, bySelf(request('ACK', { ...inner, to: INNER_TO, branch: 'z9hG4bK-inner-ack' })));
  }

  bye(second: number): this {
    const parts = { cseq: 2, to: '<sip:bob@example.test>;tag=b1', branch: 'z9hG4bK-bye' };
    this.sip(second, request('BYE', parts), ALICE);
    return this.sip(second + 0.1, bySelf(request('BYE', { ...INNER, cseq: 2, to: INNER_TO, branch: 'z9hG4bK-b2' })));
  }

  /** Another call with the Call-ID and the tags of both callers, after second 70. */
  again(outerAt: number): this {
    const outer: MessageParts = { cseq: 11, branch: 'z9hG4bK-outer-2' };
    const inner: MessageParts = { ...INNER, cseq: 201, branch: 'z9hG4bK-inner-2' };
    const to = '<sip:bob@example.test>;tag=b2';
    const innerTo = '<sip:bob@example.test>;tag=y2';
    this.add(outerAt, 'sip', request('INVITE', { ...outer, body: sdp(ALICE.ip, ALICE.port) }), ALICE, SIGNALLING);
    this.sip(70.1, bySelf(request('INVITE', { ...inner, body: sdp(INSIDE.ip, INSIDE.port) })));
    const answer = { ...inner, to: innerTo, body: sdp(BOB.ip, BOB.port) };
    this.sip(72, bySelf(response('200 OK', 'INVITE', answer)), BOB);
    this.sip(72.1, response('200 OK', 'INVITE', { ...outer, to, body: sdp(OUTSIDE.ip, OUTSIDE.port) }));
    this.sip(72.2, request('ACK', { ...outer, to, branch: 'z9hG4bK-ack-2' }), ALICE);
    this.sip(72.3, bySelf(request('ACK', { ...inner, to: innerTo, branch: 'z9hG4bK-inner-ack-2' })));
    this.sip(120, request('BYE', { cseq: 12, to, branch: 'z9hG4bK-bye-2' }), ALICE);
    return this.sip(120.1, bySelf(request('BYE', { ...INNER, cseq: 202, to: innerTo, branch: 'z9hG4bK-b2-2' })));
  }

  stream(from: TransportAddress, to: TransportAddress, plan: Partial<StreamPlan>): this {
    const sent = streamPackets({ packets: 2_000, from, to, startAt: START + 3_000, ...plan }, 3);
    for (const { at, bytes } of sent) this.add((at - START) / 1_000, 'rtp', bytes, from, to);
    return this;
  }

  /** Each five seconds; `lossRate`: of all packets. */
  reports(from: TransportAddress, to: TransportAddress, ssrcs: readonly [own: number, of: number], loss: number): this {
    for (let second = 8; second <= 58; second += 5) {
      const highest = 50 * (second - 3);
      const block = { ssrc: ssrcs[0], about: ssrcs[1], fractionLost: Math.round(256 * loss), highest };
      const bytes = rtcpReport(block);
      this.add(second, 'rtcp', bytes, { ...from, port: from.port + 1 }, { ...to, port: to.port + 1 });
    }
    return this;
  }

  play(): this {
    const feed = new PlayedFeed({ frontEnd: 'fe1', version: 'D', onRecord: (record) => this.records.push(record) });
    for (const packet of this.packets.toSorted((a, b) => a.at - b.at)) feed.play(packet, packet.at);
    feed.finish();
    this.feed = feed;
    return this;
  }

  /** Towards Bob and towards Alice, in percent, by the last report. */
  losses(metric = 'PacketLossRate'): readonly unknown[] {
    this.play();
    const events = this.records.flatMap((record) => record.events);
    return ['bob', 'alice'].map((user) => {
      const event = events.findLast(
        (each) => each.kind === 'qualityUpdate' && each.to?.uri === `sip:${user}@example.test`,
      );
      const value = event && 'metrics' in event ? event.metrics[metric]?.value : undefined;
      return typeof value === 'number' ? Math.round(value * 100) : value;
    });
  }
}

/** As the border controller sends it, and what is answered to it. */
function bySelf(message: Buffer): Buffer {
  return Buffer.from(message.toString().replace('192.0.2.10:5060', '192.0.2.5:5060'));
}

describe.each([
  { cseq: 1, order: 'before', outerAt: 0, invites: ['invite'], tags: ['a1', 'b1'] },
  { cseq: 102, order: 'before', outerAt: 0, invites: ['invite'], tags: ['a1', 'b1'] },
  // The second record corrects the parties and their addresses; records keep the tag of the caller in the first one.
  { cseq: 1, order: 'after', outerAt: 0.15, invites: ['invite', 'invite'], tags: ['b1', 'x1'] },
  { cseq: 102, order: 'after', outerAt: 0.15, invites: ['invite', 'invite'], tags: ['b1', 'x1'] },
])(
  'a border controller that keeps the Call-ID and has both tags and CSeq $cseq of its own, whose outer INVITE is captured $order the inner one',
  ({ cseq, outerAt, invites, tags }) => {
    const scene = (): Scene => new Scene().start(cseq, outerAt).bye(60);

    it('is a hop of one call', () => {
      const { records, feed } = scene().play();
      expect(new Set(records.map(({ connection }) => connection.callId))).toEqual(new Set(['call-1']));
      const kinds = words(records.flatMap(({ events }) => events)).filter((word) => !word.startsWith('quality'));
      expect(kinds).toEqual([...invites, 'start audio', 'start audio', 'ended audio', 'ended audio', 'bye']);
      const ends = records.flatMap(({ events }) => events.filter((event) => isStream(event)));
      expect(new Set(ends.flatMap(({ from, to }) => [from?.id, to?.id]))).toEqual(new Set(tags));
      expect(feed?.findings.unplacedMessages).toEqual({});
    });

    it('shows the loss of the RTP that it sends to the callee', () => {
      const talk = scene().stream(ALICE, OUTSIDE, { ssrc: 0xa }).stream(INSIDE, BOB, { ssrc: 0xc, loss: 0.1 });
      talk.stream(BOB, INSIDE, { ssrc: 0xb, loss: 0.3 }).stream(OUTSIDE, ALICE, { ssrc: 0xd, loss: 0.2 });
      const [callee, caller] = talk.losses('CapturedPacketLossRate').map(Number);
      expect(Math.abs((callee ?? 0) - 10)).toBeLessThan(3);
      expect(Math.abs((caller ?? 0) - 20)).toBeLessThan(3);
      expect(talk.feed?.findings.uncountedRtp).toEqual({});
    });

    it('shows what the callee reports, and not what it reports itself', () => {
      const talk = scene().reports(OUTSIDE, ALICE, [0xd, 0xa], 0).reports(BOB, INSIDE, [0xb, 0xc], 0.1);
      talk.reports(ALICE, OUTSIDE, [0xa, 0xd], 0.2).reports(INSIDE, BOB, [0xc, 0xb], 0);
      expect(talk.losses()).toEqual([10, 20]);
      expect(talk.feed?.findings.uncountedReports).toEqual({});
    });

    it('shows what it reports itself if the callee reports nothing', () => {
      expect(scene().reports(OUTSIDE, ALICE, [0xd, 0xa], 0.3).losses()).toEqual([30, undefined]);
    });

    it('ends the call with the BYE of the callee that it gets, and whoever sent it', () => {
      const ends = { from: INNER_TO, to: INNER.from.replace('"Alice" ', ''), branch: 'z9hG4bK-own' };
      const { records, feed } = new Scene()
        .start(cseq, outerAt)
        .sip(40, request('BYE', { ...ends, cseq: 7 }), BOB)
        .play();
      expect(records.at(-1)?.connection.further).toMatchObject({ EndedBy: 'Callee' });
      expect(feed?.findings.unplacedMessages).toEqual({});
    });
  },
);

describe('a second call of a caller and a border controller that use the Call-ID and their tags again after the BYE', () => {
  it.each([
    ['before', 70],
    ['after', 70.15],
  ])('is one call with both hops if its outer INVITE is captured %s the inner one', (_order, outerAt) => {
    const scene = new Scene().start(102).bye(60).again(outerAt);
    scene.stream(INSIDE, BOB, { ssrc: 0xc, loss: 0.1, startAt: START + 73_000 });
    const [callee] = scene.losses('CapturedPacketLossRate').map(Number);
    expect(Math.abs((callee ?? 0) - 10)).toBeLessThan(3);
    const calls = Map.groupBy(scene.records, ({ connection }) => connection.callId);
    const kinds = [...calls.values()].map((records) => words(records.flatMap((record) => record.events)));
    expect(kinds.map((each) => [...new Set(each)].filter((word) => !/quality/i.test(word)))).toEqual(
      Array.from({ length: 2 }, () => ['invite', 'start audio', 'ended audio', 'bye']),
    );
    expect(scene.feed?.findings).toMatchObject({ unplacedMessages: {}, uncountedRtp: {} });
  });
});
