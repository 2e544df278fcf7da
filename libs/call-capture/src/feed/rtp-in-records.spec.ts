import type { TransportAddress } from '@ringdown/capture';
import type { DiagnosticsRecord, QualityEvent } from '@ringdown/xml-schemas/record';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';
import { FrontEndFeed } from './front-end-feed.js';

const START = 1_760_000_000_000;
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const NAT = { ip: '198.51.100.7', port: 61_000 };
const RELAY = '192.0.2.99';

/** One captured call, with its RTP and reports on it. */
class CapturedCall {
  private readonly records: DiagnosticsRecord[] = [];
  readonly feed = new FrontEndFeed({ frontEnd: 'fe1', version: 'D', onRecord: (record) => this.records.push(record) });
  private now = START;

  invite(body = sdp(ALICE.ip, ALICE.port), callId = 'call-1'): this {
    return this.sip(request('INVITE', { body, callId }));
  }

  answer(body = sdp(BOB.ip, BOB.port), callId = 'call-1'): this {
    return this.sip(response('200 OK', 'INVITE', { body, callId }));
  }

  rtp(from: TransportAddress, to: TransportAddress, plan: Partial<StreamPlan> = {}): this {
    const packets = streamPackets({ packets: 1_000, from, to, startAt: this.now, ...plan }, 5);
    for (const { at, bytes } of packets) {
      this.feed.process(
        { source: from, destination: to, capturedAt: at, content: 'rtp', dscp: 46, payload: bytes },
        at,
        at,
      );
    }
    return this;
  }

  json(content: 'rtcp' | 'rtp-statistics', source: TransportAddress, report: object): this {
    const payload = Buffer.from(JSON.stringify(report));
    this.feed.process({ source, destination: PROXY, content, correlationId: 'call-1', payload }, this.now, this.now);
    return this;
  }

  bye(callId = 'call-1'): this {
    this.now += 30_000;
    return this.sip(request('BYE', { callId, cseq: 2, to: BOB_ANSWERING }));
  }

  /** Time passes without packets. */
  wait(seconds: number): this {
    for (let second = 0; second < seconds; second++) this.feed.sweep((this.now += 1_000));
    return this;
  }

  /** The packets of each report that captured media have, by call. */
  packetsByCall(): readonly (readonly [callId: string, packets: unknown])[] {
    this.wait(40);
    return this.records.flatMap(({ connection, events }) =>
      events.flatMap((event) =>
        event.kind === 'qualityUpdate' ? [[connection.callId, event.metrics['CapturedPackets']?.value] as const] : [],
      ),
    );
  }

  kinds(): readonly string[] {
    return this.records.flatMap(({ events }) => events.map(({ kind }) => kind));
  }

  /** The reports of the call, by the user of the receiver: `bob`. */
  quality(): Readonly<Record<string, QualityEvent>> {
    this.wait(40);
    const all = this.records.flatMap(({ events }) => events);
    const events = all.flatMap((event) => (event.kind === 'qualityUpdate' ? event : []));
    expect(new Set(events.map(({ to }) => to?.uri)).size).toBe(events.length);
    return Object.fromEntries(events.map((event) => [event.to?.uri?.replace(/^sip:|@.*$/g, '') ?? '', event]));
  }

  sip(payload: Buffer, source = PROXY): this {
    this.feed.process({ source, destination: PROXY, content: 'sip', payload }, this.now, this.now);
    return this;
  }
}

function metricValues(event: QualityEvent | undefined): Readonly<Record<string, number | string>> {
  return Object.fromEntries(Object.entries(event?.metrics ?? {}).map(([name, { value }]) => [name, value]));
}

describe('RTP in the records of a call', () => {
  it('measures each direction at its receiver', () => {
    const call = new CapturedCall().invite().answer().rtp(ALICE, BOB, { loss: 0.1 }).rtp(BOB, ALICE, { ssrc: 2 }).bye();
    const { alice, bob } = call.quality();
    expect(bob).toMatchObject({ from: ALICE, to: { ...BOB, dscpInbound: 46 }, codecs: [{ name: 'PCMU/8000' }] });
    const { PacketLossRate, CapturedPacketLossRate, PacketUtilization, CapturedPackets } = metricValues(bob);
    expect(PacketLossRate).toBeCloseTo(0.1, 1);
    expect(PacketLossRate).toBe(CapturedPacketLossRate);
    expect(PacketUtilization).toBe(CapturedPackets);
    expect(metricValues(alice)).toMatchObject({ PacketLossRate: 0, JitterInterArrival: 0, ComputedMOS: 4.31 });
    expect(metricValues(alice)).not.toHaveProperty('CapturedOneWay');
  });

  describe('at the addresses of an earlier call', () => {
    it('are of the earlier call while its stream goes on, and of the next one from its own stream on', () => {
      const call = new CapturedCall().invite().answer().rtp(ALICE, BOB, { packets: 1_500 }).bye();
      // Longer than the wait for reports after the BYE, which was not answered.
      call.rtp(ALICE, BOB, { packets: 500, firstSequence: 1_501, firstTimestamp: 1_000 + 1_500 * 160 }).wait(10);
      call.invite(undefined, 'call-2').answer(undefined, 'call-2');
      call.rtp(ALICE, BOB, { packets: 250, firstSequence: 2_001, firstTimestamp: 1_000 + 2_000 * 160 });
      call.rtp(ALICE, BOB, { packets: 700, ssrc: 77 }).bye('call-2');
      expect(call.packetsByCall().filter(([callId]) => callId === 'call-2')).toEqual([['call-2', 700]]);
    });

    it('are of the next call if its sender uses the same SSRC after a pause', () => {
      const call = new CapturedCall().invite().answer().rtp(ALICE, BOB).bye().wait(40);
      call.invite(undefined, 'call-2').answer(undefined, 'call-2').rtp(ALICE, BOB, { packets: 600 }).bye('call-2');
      expect(call.packetsByCall()).toEqual([
        ['call-1', 1_000],
        ['call-2', 600],
      ]);
    });

    it('are of no call if they ended before the INVITE', () => {
      const call = new CapturedCall().rtp(ALICE, BOB, { packets: 300 }).wait(60);
      call.invite().answer().rtp(ALICE, BOB, { packets: 500, ssrc: 9 }).bye();
      expect(call.packetsByCall()).toEqual([['call-1', 500]]);
    });
  });

  it('prefers what the receiver reports, and keeps what was captured beside it', () => {
    const report = { report_blocks: [{ source_ssrc: 0x1234_5678, fraction_lost: 64, ia_jitter: 80 }] };
    const call = new CapturedCall().invite().answer().rtp(ALICE, BOB).json('rtcp', BOB, report).bye();
    expect(metricValues(call.quality()['bob'])).toMatchObject({
      PacketLossRate: 0.25,
      JitterInterArrival: 10,
      CapturedPacketLossRate: 0,
      CapturedJitter: 0,
      PacketUtilization: 1_000,
    });
  });

  it('assigns streams of a phone behind NAT, also if they were captured before the other direction', () => {
    const local = { ip: '10.0.0.5', port: 4_000 };
    const call = new CapturedCall().invite(sdp(local.ip, 4_000)).answer();
    const { alice, bob } = call.rtp(BOB, NAT, { loss: 0.2, ssrc: 2 }).rtp(NAT, BOB).bye().quality();
    expect(metricValues(alice)['PacketLossRate']).toBeCloseTo(0.2, 1);
    expect(metricValues(bob)['PacketLossRate']).toBe(0);
  });

  it('measures what is nearest to the receiver when a relay is between', () => {
    const call = new CapturedCall().invite().invite(sdp(RELAY, 30_000)).answer().answer(sdp(RELAY, 30_002));
    call.rtp(ALICE, { ip: RELAY, port: 30_002 }, { loss: 0.02 });
    call.rtp({ ip: RELAY, port: 30_000 }, BOB, { loss: 0.3 });
    const { bob } = call.bye().quality();
    expect(metricValues(bob)['CapturedPacketLossRate']).toBeCloseTo(0.3, 1);
    expect(metricValues(bob)).not.toHaveProperty('CapturedSsrcChanges');
  });

  it('measures packets from before their session description was captured', () => {
    const opus = (ip: string, port: number): string =>
      `v=0\r\no=- 1 1 IN IP4 ${ip}\r\ns=-\r\nc=IN IP4 ${ip}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 111\r\na=rtpmap:111 opus/48000/2\r\n`;
    const call = new CapturedCall().rtp(ALICE, BOB, { payloadType: 111, clockRate: 48_000, jitter: 20 });
    const { bob } = call.invite(opus(ALICE.ip, 4_000)).answer(opus(BOB.ip, 5_000)).bye().quality();
    expect(bob?.codecs).toEqual([{ name: 'opus/48000' }]);
    expect(metricValues(bob)['CapturedJitter']).toBeGreaterThan(4);
  });

  it('names the codec that was used, not the first one that was agreed', () => {
    const both = (ip: string, port: number): string => sdp(ip, port).replace('AVP 0 101', 'AVP 0 8');
    const call = new CapturedCall().invite(both(ALICE.ip, 4_000)).answer(both(BOB.ip, 5_000));
    expect(call.rtp(ALICE, BOB, { payloadType: 8 }).bye().quality()['bob']?.codecs).toEqual([{ name: 'PCMA/8000' }]);
  });

  it('reports that only one direction has packets, unless that was agreed', () => {
    const oneWay = new CapturedCall().invite().answer().rtp(ALICE, BOB).bye().quality();
    expect(metricValues(oneWay['bob'])).toMatchObject({ CapturedOneWay: 1 });
    const held = new CapturedCall().invite(sdp(ALICE.ip, 4_000, { audio: ['a=sendonly'] }));
    const call = held
      .answer(sdp(BOB.ip, 5_000, { audio: ['a=recvonly'] }))
      .rtp(ALICE, BOB)
      .bye();
    expect(metricValues(call.quality()['bob'])).not.toHaveProperty('CapturedOneWay');
  });

  it('reports the statistics of a capture agent', () => {
    const statistics = {
      TOTAL_PK: 900,
      EXPECTED_PK: 1_000,
      PACKET_LOSS: 100,
      MEAN_JITTER: 7,
      MAX_JITTER: 30,
      MOS: 3.5,
    };
    const stream = { SRC_IP: ALICE.ip, SRC_PORT: ALICE.port, DST_IP: BOB.ip, DST_PORT: BOB.port };
    const call = new CapturedCall()
      .invite()
      .answer()
      .json('rtp-statistics', PROXY, { ...statistics, ...stream });
    expect(call.feed.counts).toMatchObject({ reports: 1 });
    expect(metricValues(call.bye().quality()['bob'])).toEqual({
      PacketUtilization: 900,
      PacketLossRate: 0.1,
      JitterInterArrival: 7,
      JitterInterArrivalMax: 30,
      ComputedMOS: 3.5,
    });
  });

  it('reports during the call when loss crosses a threshold, and not again without packets', () => {
    const call = new CapturedCall().invite().answer().wait(1).rtp(ALICE, BOB, { loss: 0.3 }).wait(20);
    expect(call.kinds().filter((kind) => kind === 'inCallQuality')).toHaveLength(1);
    expect(
      call
        .wait(60)
        .kinds()
        .filter((kind) => kind === 'inCallQuality').length,
    ).toBeLessThan(3);
  });

  it('reports the quality of a call whose end was not captured', () => {
    const call = new CapturedCall().invite().answer().rtp(ALICE, BOB);
    call.feed.finish();
    expect(call.kinds()).toContain('qualityUpdate');
  });

  it('sends one report although a phone goes on sending', () => {
    const call = new CapturedCall().invite().answer().rtp(ALICE, BOB).bye();
    const before = call.quality();
    call.rtp(ALICE, BOB, { firstSequence: 2_000 });
    expect(Object.keys(call.quality())).toEqual(Object.keys(before));
  });
});

describe('RTP of parties that use ICE and name no address', () => {
  const trickle = sdp('0.0.0.0', 9, { audio: ['a=ice-ufrag:8hhY', 'a=ice-options:trickle'] });
  const [alice, bob] = [
    { ip: '192.0.2.10', port: 61_000 },
    { ip: '192.0.2.20', port: 50_123 },
  ];

  it('counts if it is between the hosts that sent the messages of the call', () => {
    const call = new CapturedCall();
    call.sip(request('INVITE', { body: trickle }), alice).sip(response('200 OK', 'INVITE', { body: trickle }), bob);
    const { alice: toAlice, bob: toBob } = call
      .rtp(alice, bob, { loss: 0.2 })
      .rtp(bob, alice, { ssrc: 7 })
      .bye()
      .quality();
    expect(metricValues(toBob)['PacketLossRate']).toBeCloseTo(0.2, 1);
    expect(metricValues(toAlice)['PacketLossRate']).toBe(0);
    expect(call.feed.uncountedRtp['unknown call']).toBe(0);
  });

  it('is that of its SSRC in the description, wherever it is seen', () => {
    const named = (ssrc: number): string => `${trickle}a=ssrc:${ssrc} cname:x\r\n`;
    const call = new CapturedCall().invite(named(5)).answer(named(6));
    const elsewhere = { ip: '203.0.113.7', port: 7_000 };
    const { alice: toAlice, bob: toBob } = call
      .rtp(elsewhere, alice, { ssrc: 5, loss: 0.2 })
      .rtp(bob, NAT, { ssrc: 6 })
      .bye()
      .quality();
    expect(metricValues(toBob)['PacketLossRate']).toBeCloseTo(0.2, 1);
    expect(metricValues(toAlice)['PacketLossRate']).toBe(0);
  });
});

describe('RTP that counts for no call', () => {
  function uncounted(call: CapturedCall): object {
    call.wait(40);
    call.feed.finish();
    return Object.fromEntries(Object.entries(call.feed.uncountedRtp).filter(([, count]) => count > 0));
  }

  const call = (): CapturedCall => new CapturedCall().invite().answer();
  const elsewhere = { ip: '203.0.113.1', port: 7_000 };

  it('is counted by its reason', () => {
    expect(uncounted(call().rtp(ALICE, BOB).bye())).toEqual({});
    expect(uncounted(call().rtp(elsewhere, { ip: '203.0.113.2', port: 8_000 }).bye())).toEqual({
      'unknown call': 1_000,
    });
    expect(uncounted(call().rtp(elsewhere, elsewhere, { packets: 1 }).bye())).toEqual({ 'single packets': 1 });
    expect(uncounted(new CapturedCall().invite().rtp(ALICE, BOB, { packets: 200 }))).toEqual({ 'unknown medium': 200 });
  });

  it('is counted when it follows the end of its call', () => {
    const plan = { packets: 1_500 };
    const over = call().rtp(ALICE, BOB, plan).bye();
    over.rtp(ALICE, BOB, { packets: 300, firstSequence: 1_501, firstTimestamp: 1_000 + 1_500 * 160 }).wait(6);
    over.rtp(ALICE, BOB, { packets: 50, firstSequence: 1_801, firstTimestamp: 1_000 + 1_800 * 160 });
    expect(uncounted(over)).toEqual({ 'after the call': 50 });
  });

  it('counts for its call as soon as that is known', () => {
    const early = new CapturedCall().rtp(ALICE, BOB, { packets: 300 });
    expect(early.feed.uncountedRtp['unknown call']).toBe(300);
    expect(uncounted(early.invite().answer().bye())).toEqual({});
  });
});

describe('RTP of two phones with one private address, behind NAT that changes ports', () => {
  const [alice, bob] = [
    { ip: '198.51.100.7', port: 61_000 },
    { ip: '203.0.113.8', port: 50_123 },
  ];
  const description = sdp('192.168.1.10', 4_000);

  it.each([
    ['after the answer', false],
    ['before the answer', true],
  ])('counts for both sides when it began %s', (_when, isEarly) => {
    const call = new CapturedCall();
    const talk = (): unknown => [call.rtp(alice, bob), call.rtp(bob, alice, { ssrc: 7 })];
    call.sip(request('INVITE', { body: description }), alice);
    if (isEarly) talk();
    call.sip(response('200 OK', 'INVITE', { body: description }), bob);
    if (!isEarly) talk();
    call.bye();
    expect(Object.keys(call.quality()).toSorted()).toEqual(['alice', 'bob']);
  });
});
