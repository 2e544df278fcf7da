import * as fc from 'fast-check';
import type { TransportAddress } from '@ringdown/capture';
import { PlayedFeed } from '../feed/played-feed.js';
import { request, response, sdp } from '../../test/sip-messages.js';
import { rtcpReport } from '../../test/write-rtcp.js';
import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';

const START = 1_760_000_000_000;
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const CAROL = { ip: '192.0.2.30', port: 6_000 };
/** The back-to-back user agent. */
const B2BUA = { ip: '192.0.2.1', port: 30_000 };
const [ALICE_SSRC, BOB_SSRC] = [0xa, 0xb];

type Packet = Parameters<PlayedFeed['play']>[0] & { readonly at: number };
type Offer = readonly [second: number, from: TransportAddress, cseq?: number];

/** Packets of several calls at their times, in seconds: what the calls show in the end. */
class Scene {
  private readonly packets: Packet[] = [];
  feed: PlayedFeed | undefined;

  add(second: number, content: Packet['content'], payload: Buffer, from: TransportAddress, to: TransportAddress): this {
    this.packets.push({ at: START + second * 1_000, content, payload, source: from, destination: to });
    return this;
  }

  sip(second: number, payload: Buffer): this {
    return this.add(second, 'sip', payload, B2BUA, B2BUA);
  }

  /** `offer` and `answer`: when, and the media address of the side. */
  leg(callId: string, [at, offer, cseq = 1]: Offer, [answeredAt, answer]: Offer, from = 'alice'): this {
    const dialog = cseq === 1 ? {} : { to: '<sip:bob@example.test>;tag=b1' };
    const parts = { callId, cseq, branch: `z9hG4bK-${cseq}`, from: `<sip:${from}@example.test>;tag=a1`, ...dialog };
    this.sip(at, request('INVITE', { ...parts, body: sdp(offer.ip, offer.port) }));
    const { to: _to, ...answered } = parts;
    return this.sip(answeredAt, response('200 OK', 'INVITE', { ...answered, body: sdp(answer.ip, answer.port) }));
  }

  bye(second: number, callId: string, from = 'alice'): this {
    const parts = { callId, from: `<sip:${from}@example.test>;tag=a1`, to: '<sip:bob@example.test>;tag=b1' };
    return this.sip(second, request('BYE', { ...parts, cseq: 9 }));
  }

  /** Bob reports that a tenth was lost, Alice that nothing was. */
  reports(second: number, alice = rtcpOf(ALICE), bob = rtcpOf(BOB)): this {
    const bobs = rtcpReport({ ssrc: BOB_SSRC, about: ALICE_SSRC, fractionLost: 26, highest: 50 * second });
    this.add(second, 'rtcp', bobs, bob, alice);
    const alices = rtcpReport({ ssrc: ALICE_SSRC, about: BOB_SSRC, fractionLost: 0, highest: 50 * second });
    return this.add(second + 0.3, 'rtcp', alices, alice, bob);
  }

  stream(second: number, from: TransportAddress, to: TransportAddress, plan: Partial<StreamPlan> = {}): this {
    const sent = streamPackets({ packets: 1_000, from, to, startAt: START + second * 1_000, ...plan }, 3);
    for (const { at, bytes } of sent) this.add((at - START) / 1_000, 'rtp', bytes, from, to);
    return this;
  }

  /** Both directions; a fifth of what goes to Bob is lost. */
  talk(second: number, alice = ALICE, bob = BOB): this {
    this.stream(second, alice, bob, { ssrc: ALICE_SSRC, loss: 0.2 });
    return this.stream(second, bob, alice, { ssrc: BOB_SSRC });
  }

  /** `call: loss towards the callee, towards the caller`, of the last report of each direction. */
  losses(metric = 'PacketLossRate'): Readonly<Record<string, readonly unknown[]>> {
    const losses: Record<string, unknown[]> = {};
    const feed = new PlayedFeed({
      frontEnd: 'fe1',
      version: 'D',
      onRecord: ({ connection, events }) => {
        for (const event of events) {
          if (event.kind !== 'qualityUpdate') continue;
          const value = event.metrics[metric]?.value;
          const isCallee = event.to?.id === 'b1';
          (losses[connection.callId] ??= [undefined, undefined])[isCallee ? 0 : 1] =
            typeof value === 'number' ? Math.round(value * 10) / 10 : value;
        }
      },
    });
    for (const packet of this.packets.toSorted((a, b) => a.at - b.at)) feed.play(packet, packet.at);
    feed.finish();
    this.feed = feed;
    return losses;
  }

  uncounted(): unknown {
    this.losses();
    const { uncountedReports, uncountedRtp } = this.feed?.findings ?? {};
    return { ...uncountedReports, rtp: uncountedRtp };
  }
}

function rtcpOf({ ip, port }: TransportAddress): TransportAddress {
  return { ip, port: port + 1 };
}

/** Two legs, set up as one call; the answer goes from the second to the first one. */
function twoLegs(): Scene {
  return new Scene().leg('leg-1', [0, ALICE], [2.1, BOB]).leg('leg-2', [0.02, ALICE], [2, BOB]);
}

describe('media between two phones that no leg of their call touches', () => {
  it('have the quality of RTCP in each leg that names both phones', () => {
    const scene = twoLegs().reports(10).bye(40, 'leg-1').bye(40.01, 'leg-2');
    expect(scene.losses()).toEqual({ 'leg-1': [0.1, 0], 'leg-2': [0.1, 0] });
    expect(scene.feed?.findings.uncountedReports).toEqual({});
    expect(scene.feed?.counts.reports).toBe(2);
  });

  it('have the quality of RTP in each leg', () => {
    const scene = twoLegs().talk(3).bye(40, 'leg-1').bye(40.01, 'leg-2');
    expect(scene.losses()).toEqual({ 'leg-1': [0.2, 0], 'leg-2': [0.2, 0] });
  });

  it.each([
    ['before any message', -2],
    ['while the phone rings', 1],
  ])('have it from the beginning if RTP began %s', (_when, second) => {
    const scene = twoLegs().talk(second).bye(40, 'leg-1').bye(40.01, 'leg-2');
    const packets = scene.losses('CapturedPackets');
    expect(packets['leg-1']).toEqual(packets['leg-2']);
    expect(packets['leg-1']?.[1]).toBe(1_000);
  });

  it('have it in three legs, also with RTCP at the port of RTP', () => {
    const scene = twoLegs().leg('leg-3', [0.04, ALICE], [1.9, BOB]).reports(10, ALICE, BOB).talk(3);
    for (const callId of ['leg-1', 'leg-2', 'leg-3']) scene.bye(40, callId);
    expect(scene.losses()).toEqual({ 'leg-1': [0.1, 0], 'leg-2': [0.1, 0], 'leg-3': [0.1, 0] });
  });

  it('have their directions in each leg as it describes them, also if it calls the other way round', () => {
    const scene = new Scene().leg('leg-1', [0, ALICE], [2.1, BOB]).leg('leg-2', [0.02, BOB], [2, ALICE], 'bob');
    scene.reports(10).bye(40, 'leg-1').bye(40, 'leg-2', 'bob');
    expect(scene.losses()).toEqual({ 'leg-1': [0.1, 0], 'leg-2': [0, 0.1] });
  });

  it('have it in the leg alone that names both phones', () => {
    const scene = new Scene().leg('leg-1', [0, ALICE], [2.1, B2BUA]).leg('leg-2', [0.02, ALICE], [2, BOB]);
    scene.reports(10).talk(12).bye(40, 'leg-1').bye(40, 'leg-2');
    expect(scene.losses()).toEqual({ 'leg-2': [0.1, 0] });
  });

  it('have it from the re-INVITEs on that connect the phones; what each leg had before is its own', () => {
    const other = { ip: B2BUA.ip, port: 30_002 };
    const scene = new Scene().leg('leg-1', [0, ALICE], [2.1, B2BUA]).leg('leg-2', [0.02, other], [2, BOB]);
    scene.stream(3, ALICE, B2BUA, { packets: 400, ssrc: 1 }).stream(3, other, BOB, { packets: 300, ssrc: 2 });
    scene.leg('leg-1', [20, ALICE, 2], [20.2, BOB]).leg('leg-2', [20.1, ALICE, 2], [20.4, BOB]);
    scene.stream(21, ALICE, BOB, { packets: 600, ssrc: 3 }).bye(60, 'leg-1').bye(60, 'leg-2');
    const packets = scene.losses('CapturedPackets');
    expect(packets).toEqual({ 'leg-1': [1_000, undefined], 'leg-2': [900, undefined] });
  });

  it('have it in each leg if one phone is behind NAT', () => {
    const [home, nat] = [
      { ip: '192.168.1.20', port: 5_000 },
      { ip: '198.51.100.7', port: 61_000 },
    ];
    const scene = new Scene().leg('leg-1', [0, ALICE], [2.1, home]).leg('leg-2', [0.02, ALICE], [2, home]);
    scene.reports(10, rtcpOf(ALICE), rtcpOf(nat)).talk(3, ALICE, nat).bye(40, 'leg-1').bye(40, 'leg-2');
    expect(scene.losses()).toEqual({ 'leg-1': [0.1, 0], 'leg-2': [0.1, 0] });
  });

  it('have the report of a phone (RFC 6035) in each leg', () => {
    const addresses = (name: string, { ip, port }: TransportAddress): string =>
      `${name}Addr:IP=${ip} PORT=${port} SSRC=0x0`;
    const lines = ['VQSessionReport: CallTerm', 'CallID: leg-2', 'LocalMetrics:', 'PacketLoss:NLR=10.0 JDR=0.0'];
    const body = [...lines, addresses('Local', BOB), addresses('Remote', ALICE), ''].join('\r\n');
    const parts = { callId: 'report', contentType: 'application/vq-rtcpxr', body };
    const scene = twoLegs().bye(40, 'leg-1').bye(40, 'leg-2').sip(41, request('PUBLISH', parts));
    expect(scene.losses()).toEqual({ 'leg-1': [0.1, undefined], 'leg-2': [0.1, undefined] });
  });

  it('go on in the leg that is not over', () => {
    const scene = twoLegs().talk(3).stream(24, BOB, ALICE, { ssrc: BOB_SSRC, firstSequence: 1_001, packets: 500 });
    scene.bye(12, 'leg-1').bye(60, 'leg-2');
    const packets = scene.losses('CapturedPackets');
    expect(packets['leg-1']?.[1]).toBeLessThan(1_000);
    expect(packets['leg-2']?.[1]).toBe(1_500);
  });

  it.each([
    ['after the BYE of the first call', true],
    ['if the BYE of the first call was not captured', false],
  ])('are of the next call of the same phones alone, %s', (_when, hasBye) => {
    const scene = new Scene().leg('one', [0, ALICE], [2, BOB]).talk(3);
    if (hasBye) scene.bye(24, 'one');
    scene.leg('two', [25, ALICE], [27, BOB]).stream(28, ALICE, BOB, { ssrc: 77, loss: 0.1 }).bye(60, 'two');
    scene.stream(28, BOB, ALICE, { ssrc: 78, packets: 500 });
    expect(scene.losses()).toEqual({ one: [0.2, 0], two: [0.1, 0] });
    expect(scene.losses('CapturedPackets')).toMatchObject({
      one: [expect.any(Number), 1_000],
      two: [expect.any(Number), 500],
    });
  });

  it('are of no call if two calls of different parties name one end each', () => {
    const scene = new Scene().leg('one', [0, ALICE], [2, CAROL]).leg('two', [0, B2BUA], [2, BOB]);
    scene.reports(10).stream(3, ALICE, BOB, { packets: 100 }).bye(40, 'one').bye(40, 'two');
    const contradicting = 'contradicting evidence';
    expect(scene.uncounted()).toEqual({ [contradicting]: 2, rtp: { [contradicting]: 100 } });
  });

  it('are of the call that names both ends if another call names one of them by mistake', () => {
    const scene = new Scene().leg('one', [0, ALICE], [2, BOB]).leg('two', [1, CAROL], [3, BOB]).reports(10);
    expect(scene.bye(40, 'one').bye(40, 'two').losses()).toEqual({ one: [0.1, 0] });
  });

  it('are the same in all legs and never swapped, whatever comes first', () => {
    const times = fc.record({ second: fc.double({ min: 0.001, max: 1, noNaN: true }), early: fc.boolean() });
    const legs = fc.array(fc.tuple(times, fc.boolean()), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(legs, fc.integer({ min: -1, max: 6 }), (described, talkAt) => {
        const scene = new Scene().talk(talkAt).reports(10);
        for (const [at, [{ second, early }, isReverse]] of described.entries()) {
          const [offer, answer] = isReverse ? [BOB, ALICE] : [ALICE, BOB];
          const from = isReverse ? 'bob' : 'alice';
          scene.leg(`leg-${at}`, [second, offer], [early ? second + 0.5 : 3 + second, answer], from);
          scene.bye(50 + second, `leg-${at}`, from);
        }
        const losses = scene.losses();
        expect(Object.keys(losses)).toHaveLength(described.length);
        for (const [at, [, isReverse]] of described.entries()) {
          expect(losses[`leg-${at}`]).toEqual(isReverse ? [0, 0.1] : [0.1, 0]);
        }
      }),
      { numRuns: 15 },
    );
  });
});
