import type { TransportAddress } from '@ringdown/capture';
import type { RecordEvent, StreamEvent } from '@ringdown/xml-schemas/record';
import { PlayedFeed } from '../feed/played-feed.js';
import { request, response, sdp } from '../../test/sip-messages.js';
import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';

const START = 1_760_000_000_000;
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const NOWHERE = { ip: '0.0.0.0', port: 4_000 };
const ICE = ['a=ice-ufrag:8hhY', 'a=ice-pwd:0123456789abcdef01234567', 'a=ice-options:trickle'];

type Packet = Parameters<PlayedFeed['play']>[0] & { readonly at: number };

/** A call of Alice and Bob, in seconds. */
class Scene {
  private readonly packets: Packet[] = [];
  private cseq = 0;

  add(second: number, content: Packet['content'], payload: Buffer, source = PROXY, destination = PROXY): this {
    this.packets.push({ at: START + second * 1_000, content, payload, source, destination });
    return this;
  }

  /** An offer of Alice with Bob's answer. */
  agree(second: number, offer: string, answer: string): this {
    this.cseq++;
    const parts = { cseq: this.cseq, branch: `z9hG4bK-${this.cseq}` };
    const to = this.cseq === 1 ? {} : { to: '<sip:bob@example.test>;tag=b1' };
    this.add(second, 'sip', request('INVITE', { ...parts, ...to, body: offer }));
    return this.add(second + 0.2, 'sip', response('200 OK', 'INVITE', { ...parts, body: answer }));
  }

  stream(second: number, from: TransportAddress, to: TransportAddress, plan: Partial<StreamPlan> = {}): this {
    const sent = streamPackets({ packets: 500, from, to, startAt: START + second * 1_000, ...plan }, 3);
    for (const { at, bytes } of sent) this.add((at - START) / 1_000, 'rtp', bytes, from, to);
    return this;
  }

  events(): readonly (RecordEvent & { readonly second: number })[] {
    const events: (RecordEvent & { readonly second: number })[] = [];
    const feed = new PlayedFeed({
      frontEnd: 'fe1',
      version: 'D',
      onRecord: ({ connection, events: own }) => {
        const second = Math.round((Date.parse(connection.timeStamp ?? '') - START) / 1_000);
        events.push(...own.map((event) => ({ ...event, second })));
      },
    });
    for (const packet of this.packets.toSorted((a, b) => a.at - b.at)) feed.play(packet, packet.at);
    feed.finish();
    return events;
  }

  /** `second: held or active`, of both directions: towards Bob, towards Alice. */
  course(): readonly string[] {
    const streams = this.events().flatMap((event) => (isStream(event) ? event : []));
    const words = streams.map(({ bandwidth }) => (bandwidth?.average === 0 ? 'held' : 'active'));
    return streams.flatMap(({ second }, at) => (at % 2 === 0 ? `${second}: ${words[at]} ${words[at + 1]}` : []));
  }
}

function isStream(
  event: RecordEvent & { readonly second: number },
): event is StreamEvent & { readonly second: number } {
  return event.kind === 'start' || event.kind === 'update';
}

function audio({ ip, port }: TransportAddress, ...lines: string[]): string {
  return sdp(ip, port, { audio: lines });
}

const talking = (): Scene => new Scene().agree(0, audio(ALICE), audio(BOB));

describe('hold', () => {
  it.each([
    ['0.0.0.0', NOWHERE],
    ['::', { ip: '::', port: 4_000 }],
  ])('is an address to which nothing can be sent, %s, of a party without ICE', (_what, nowhere) => {
    const scene = talking().agree(20, audio(nowhere), audio(BOB)).agree(40, audio(ALICE), audio(BOB));
    expect(scene.course()).toEqual(['0: active active', '20: active held', '40: active active']);
  });

  it('is not the missing address of a party that uses ICE', () => {
    const trickle = audio({ ip: '0.0.0.0', port: 9 }, ...ICE);
    const scene = new Scene().agree(0, trickle, trickle).agree(20, trickle.replace('o=- 1 1', 'o=- 1 2'), trickle);
    expect(scene.course()).toEqual(['0: active active']);
    const ends = scene.events().flatMap((event) => ('from' in event ? [event.from, event.to] : []));
    for (const end of ends) {
      expect(end).not.toHaveProperty('ip');
      expect(end).not.toHaveProperty('port');
    }
  });

  it.each([
    ['inactive', 'inactive', 'held held'],
    ['sendonly', 'recvonly', 'active held'],
    ['recvonly', 'sendonly', 'held active'],
  ])('is %s of a party that uses ICE, until it is retrieved', (offered, answered, held) => {
    const web = (direction: string): string => audio({ ip: '0.0.0.0', port: 9 }, ...ICE, `a=${direction}`);
    const scene = new Scene().agree(0, web('sendrecv'), web('sendrecv')).agree(20, web(offered), web(answered));
    scene.agree(40, web('sendrecv'), web('sendrecv'));
    expect(scene.course()).toEqual(['0: active active', `20: ${held}`, '40: active active']);
  });

  it('ends with packets that flow nevertheless, and a session refresh does not begin it again', () => {
    const scene = talking().agree(20, audio(NOWHERE), audio(BOB)).stream(22, BOB, ALICE, { packets: 3_000 });
    scene.agree(50, audio(NOWHERE), audio(BOB));
    expect(scene.course()).toEqual(['0: active active', '20: active held', '26: active active']);
  });

  it('begins again with another description', () => {
    const scene = talking().agree(20, audio(NOWHERE), audio(BOB)).stream(22, BOB, ALICE, { packets: 1_000 });
    scene.agree(60, audio(ALICE, 'a=inactive'), audio(BOB, 'a=inactive'));
    expect(scene.course()).toEqual(['0: active active', '20: active held', '26: active active', '60: held held']);
  });

  it.each([
    ['that were on their way', { packets: 100 }],
    ['of comfort noise', { packets: 60, packetMs: 250 }],
  ])('does not end with packets %s', (_what, plan) => {
    const scene = talking().agree(20, audio(NOWHERE), audio(BOB)).stream(20.1, BOB, ALICE, plan);
    scene.stream(21, ALICE, BOB, { ssrc: 9, packets: 2_000 });
    expect(scene.course()).toEqual(['0: active active', '20: active held']);
  });
});
