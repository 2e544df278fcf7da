import type { TransportAddress } from '@ringdown/capture';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { streamPackets } from '../../test/write-rtp.js';
import { FrontEndFeed } from './front-end-feed.js';

const START = 1_760_000_000_000;
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const ALICE = { ip: '198.51.100.10', port: 4_000 };
const BOB = { ip: '203.0.113.20', port: 5_000 };
/** Neighbours of both. */
const CARL = { ip: '198.51.100.77', port: 4_002 };
const DORA = { ip: '203.0.113.99', port: 5_002 };
const ABROAD = { ip: '192.0.2.200', port: 6_000 };
const INACTIVE = { audio: ['a=inactive'] };
const ICE = {
  audio: [
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghabcdefghabcdefgh',
    'a=candidate:1 1 udp 2130706431 198.51.100.10 4000 typ host',
  ],
};

/** What a capture point sees of two calls; times are seconds. */
class Scene {
  private readonly records: DiagnosticsRecord[] = [];
  private readonly feed = new FrontEndFeed({
    frontEnd: 'fe1',
    version: 'D',
    onRecord: (record) => this.records.push(record),
  });
  private readonly packets: { readonly at: number; readonly process: () => void }[] = [];

  call(
    callId: string,
    begin: number,
    end: number,
    offer = sdp(ALICE.ip, ALICE.port),
    answer = sdp(BOB.ip, BOB.port),
  ): this {
    const branch = `z9hG4bK-${callId}`;
    this.sip(begin, request('INVITE', { callId, branch, body: offer }));
    this.sip(begin + 0.1, response('200 OK', 'INVITE', { callId, branch, body: answer }));
    return this.sip(end, request('BYE', { callId, cseq: 2, to: BOB_ANSWERING, branch: `${branch}-bye` }));
  }

  /** A call of the neighbours that is heard, and captured in both directions or one. */
  heard(begin: number, end: number, directions: 'both' | 'one' = 'both'): this {
    this.call('heard', begin, end, sdp(CARL.ip, CARL.port), sdp(DORA.ip, DORA.port));
    this.rtp(begin + 0.2, end, CARL, DORA);
    return directions === 'one' ? this : this.rtp(begin + 0.2, end, DORA, CARL, 78);
  }

  rtp(begin: number, end: number, from: TransportAddress, to: TransportAddress, ssrc = 77): this {
    const plan = { packets: Math.floor((end - begin) * 50), from, to, ssrc, startAt: START + begin * 1_000 };
    for (const { at, bytes } of streamPackets(plan, 5)) this.add(at, 'rtp', from, to, bytes);
    return this;
  }

  sip(second: number, payload: Buffer): this {
    return this.add(START + second * 1_000, 'sip', PROXY, PROXY, payload);
  }

  /** The further elements of the end of a call. */
  endOf(callId: string): Readonly<Record<string, string>> {
    for (const { process } of this.packets.toSorted((a, b) => a.at - b.at)) process();
    this.feed.finish();
    const end = this.records.find(({ connection, events }) => {
      return connection.callId === callId && events.some(({ kind }) => kind === 'bye');
    });
    expect(end).toBeDefined();
    return end?.connection.further ?? {};
  }

  private add(
    at: number,
    content: 'sip' | 'rtp',
    source: TransportAddress,
    destination: TransportAddress,
    payload: Buffer,
  ): this {
    const process = (): void => this.feed.process({ source, destination, capturedAt: at, content, payload }, at, at);
    this.packets.push({ at, process });
    return this;
  }
}

describe('a call of which no media were captured', () => {
  it('says so if those of another call between the same networks were', () => {
    expect(new Scene().heard(0, 30).call('mute', 5, 25).endOf('mute')).toMatchObject({
      NoMedia: '1',
      EndedBy: 'Caller',
    });
  });

  it('says so if the callee is in the network of their caller', () => {
    const [offer, answer] = [sdp(BOB.ip, BOB.port), sdp(ALICE.ip, ALICE.port)];
    expect(new Scene().heard(0, 30).call('mute', 5, 25, offer, answer).endOf('mute')).toMatchObject({ NoMedia: '1' });
  });

  it.each<[string, Scene]>([
    ['Callee', new Scene().heard(0, 30).call('mute', 5, 25).rtp(6, 24, ALICE, BOB, 9)],
    ['Caller', new Scene().heard(0, 30).call('mute', 5, 25).rtp(6, 24, BOB, ALICE, 9)],
  ])('says so of the %s if the other side was captured', (side, scene) => {
    expect(scene.endOf('mute')).toHaveProperty('NoMedia', side);
  });

  it.each<[string, Scene]>([
    ['no media were captured at all', new Scene().call('mute', 5, 25)],
    [
      'the others were between other networks',
      new Scene().heard(0, 30).call('mute', 5, 25, undefined, sdp(ABROAD.ip, ABROAD.port)),
    ],
    ['the others were over when it was answered', new Scene().heard(0, 4).call('mute', 5, 25)],
    ['the others were over a minute before it ended', new Scene().heard(0, 20).call('mute', 5, 85)],
    ['it was over after four seconds', new Scene().heard(0, 30).call('mute', 5, 9)],
    [
      'it was on hold',
      new Scene()
        .heard(0, 30)
        .call('mute', 5, 25, sdp(ALICE.ip, ALICE.port, INACTIVE), sdp(BOB.ip, BOB.port, INACTIVE)),
    ],
    [
      'its media may take another way (ICE)',
      new Scene().heard(0, 30).call('mute', 5, 25, sdp(ALICE.ip, ALICE.port, ICE)),
    ],
    [
      'both directions were captured',
      new Scene().heard(0, 30).call('mute', 5, 25).rtp(6, 24, ALICE, BOB, 9).rtp(6, 24, BOB, ALICE, 8),
    ],
    [
      'the capture sees one direction only',
      new Scene().heard(0, 30, 'one').call('mute', 5, 25).rtp(6, 24, ALICE, BOB, 9),
    ],
    ['the capture may see one direction only', new Scene().heard(0, 30, 'one').call('mute', 5, 25)],
    ['the other side sent for a moment', new Scene().heard(0, 30).call('mute', 5, 25).rtp(6, 7, ALICE, BOB, 9)],
    [
      'packets from one of its addresses go to that of another call',
      new Scene().heard(0, 30).call('mute', 5, 25).rtp(6, 24, ALICE, DORA, 9),
    ],
  ])('does not say so if %s', (_what, scene) => {
    expect(scene.endOf('mute')).not.toHaveProperty('NoMedia');
  });

  it('does not say so of a call that is heard', () => {
    expect(new Scene().heard(0, 30).call('mute', 5, 25).endOf('heard')).not.toHaveProperty('NoMedia');
  });
});
