import type { Description, Side } from '../media/agreed-media.js';
import { readSessionDescription } from '../sip/session-description.js';
import { CallEvidence } from './call-evidence.js';
import type { MediaPacket } from './media-packet.js';
import { placePacket } from './place-packet.js';

/** The caller is behind NAT; a relay may be between. */
const CALLER = '192.168.1.10';
const NAT = '198.51.100.7';
const CALLEE = '203.0.113.20';
const RELAY = '203.0.113.99';

function described(ip: string, ...lines: readonly string[]): Description {
  const head = ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', `c=IN IP4 ${ip}`, 't=0 0'];
  const media = lines.some((line) => line.startsWith('m=')) ? [] : ['m=audio 4000 RTP/AVP 0'];
  return readSessionDescription([...head, ...media, ...lines, ''].join('\r\n')) ?? [];
}

function packet(source: string, destination: string, more: Partial<MediaPacket> = {}): MediaPacket {
  const address = (text: string): { ip: string; port: number } => {
    const [ip = '', port] = text.split(':');
    return { ip, port: Number(port) };
  };
  const none = { ssrcs: [], reportedSsrcs: [], cnames: [] };
  return { source: address(source), destination: address(destination), ...none, ...more };
}

describe('placePacket', () => {
  let call: CallEvidence;

  function sideOf(...sent: Parameters<typeof packet>): string {
    const placement = placePacket(packet(...sent), call);
    return typeof placement === 'string' ? placement : placement.sender;
  }

  function learn(sender: Side, ...sent: Parameters<typeof packet>): void {
    call.learn(packet(...sent), sender, 0);
  }

  beforeEach(() => {
    call = new CallEvidence();
    call.addDescription(described(CALLER), 'caller');
    call.addDescription(described(CALLEE), 'callee');
  });

  it.each([4_000, 4_001])('knows the sender by the source that it named, port %d', (port) => {
    expect(sideOf(`${CALLER}:${port}`, '192.0.2.99:9')).toBe('caller');
    expect(sideOf(`${CALLEE}:${port}`, '192.0.2.99:9')).toBe('callee');
  });

  it('knows the sender behind NAT by the destination that the other side named', () => {
    expect(sideOf(`${NAT}:61000`, `${CALLEE}:4001`)).toBe('caller');
  });

  it('knows the address of a=rtcp, and both addresses if RTCP may be multiplexed', () => {
    call.addDescription(described(RELAY, 'a=rtcp:7001 IN IP4 198.51.100.9', 'a=rtcp-mux'), 'callee');
    expect(sideOf(`${NAT}:1`, '198.51.100.9:7001')).toBe('caller');
    expect(sideOf(`${NAT}:1`, `${RELAY}:4000`)).toBe('caller');
  });

  it('knows candidates of a side, and those that the other side chose of it', () => {
    call.addDescription(
      described(CALLER, `a=candidate:1 2 UDP 1 ${NAT} 61000 typ srflx raddr ${CALLER} rport 4001`),
      'caller',
    );
    call.addDescription(described(CALLER, 'a=remote-candidates:1 203.0.113.21 700 2 203.0.113.21 701'), 'caller');
    expect(sideOf(`${NAT}:61000`, '192.0.2.99:9')).toBe('caller');
    expect(sideOf('203.0.113.21:701', '192.0.2.99:9')).toBe('callee');
  });

  it('lets a relay speak for the side whose description it rewrote', () => {
    call.addDescription(described(RELAY, 'm=audio 30000 RTP/AVP 0'), 'callee');
    call.addDescription(described(RELAY, 'm=audio 30002 RTP/AVP 0'), 'caller');
    expect(sideOf(`${NAT}:61000`, `${RELAY}:30001`)).toBe('caller');
    expect(sideOf(`${RELAY}:30003`, `${CALLEE}:4001`)).toBe('caller');
    expect(sideOf('198.51.100.8:5', `${RELAY}:30003`)).toBe('callee');
    expect(sideOf(`${RELAY}:30001`, `${NAT}:61000`)).toBe('callee');
  });

  it('knows a sender again by its address', () => {
    learn('caller', `${NAT}:61000`, `${CALLEE}:4001`);
    expect(sideOf(`${NAT}:61000`, '192.0.2.99:9')).toBe('caller');
    expect(sideOf('192.0.2.98:9', `${NAT}:61000`)).toBe('callee');
  });

  it('knows a sender by its SSRC, its name and the streams that it reports on', () => {
    learn('caller', `${NAT}:61000`, `${CALLEE}:4001`, { ssrcs: [7], reportedSsrcs: [9], cnames: ['a@10.0.0.1'] });
    const elsewhere = ['192.0.2.98:1', '192.0.2.99:2'] as const;
    expect(sideOf(...elsewhere, { ssrcs: [7] })).toBe('caller');
    expect(sideOf(...elsewhere, { ssrcs: [9] })).toBe('callee');
    expect(sideOf(...elsewhere, { reportedSsrcs: [9] })).toBe('caller');
    expect(sideOf(...elsewhere, { reportedSsrcs: [7] })).toBe('callee');
    expect(sideOf(...elsewhere, { cnames: ['a@10.0.0.1'] })).toBe('caller');
  });

  it('knows the SSRCs of session descriptions', () => {
    call.addDescription(described(CALLEE, 'a=ssrc:314159 cname:bob'), 'callee');
    expect(sideOf('192.0.2.98:1', '192.0.2.99:2', { ssrcs: [314_159] })).toBe('callee');
    expect(sideOf('192.0.2.98:1', '192.0.2.99:2', { ssrcs: [1], cnames: ['bob'] })).toBe('callee');
    expect(call.placeOfStream(314_159)).toBe(0);
  });

  it('accepts the host alone as likely evidence, and learns nothing from it', () => {
    expect(placePacket(packet(`${CALLER}:39999`, '192.0.2.99:9'), call)).toMatchObject({
      sender: 'caller',
      isCertain: false,
    });
  });

  it('has no evidence from what both sides use', () => {
    call.addDescription(described(CALLER), 'callee');
    expect(sideOf(`${CALLER}:4000`, '192.0.2.99:9')).toBe('no evidence');
    learn('caller', `${NAT}:1`, `${CALLEE}:4001`, { ssrcs: [5] });
    learn('callee', `${CALLEE}:4001`, `${NAT}:1`, { ssrcs: [5] });
    expect(sideOf('192.0.2.98:9', '192.0.2.99:9', { ssrcs: [5] })).toBe('no evidence');
  });

  it('rejects evidence of one strength that contradicts itself', () => {
    expect(sideOf(`${CALLER}:4001`, `${CALLER}:4000`)).toBe('contradicting evidence');
    learn('caller', `${NAT}:1`, `${CALLEE}:4001`, { ssrcs: [5] });
    expect(sideOf(`${NAT}:1`, '192.0.2.99:9', { reportedSsrcs: [5] })).toBe('contradicting evidence');
  });

  it('prefers what the parties named to what was learned', () => {
    learn('callee', '192.0.2.98:9', '192.0.2.99:9', { ssrcs: [5] });
    expect(sideOf(`${CALLER}:4001`, '192.0.2.99:8', { ssrcs: [5] })).toBe('caller');
  });

  it('knows the medium by its port, and on a common port by its SSRC', () => {
    const lines = ['m=audio 4000 RTP/AVP 0', 'a=ssrc:11 cname:b', 'm=video 4000 RTP/AVP 34', 'a=ssrc:12 cname:b'];
    call.addDescription(described(RELAY, ...lines), 'callee');
    const common = placePacket(packet(`${NAT}:1`, `${RELAY}:4000`), call);
    expect(common).toMatchObject({ places: new Set([0, 1]) });
    expect([11, 12, 13].map((ssrc) => call.placeOfStream(ssrc))).toEqual([0, 1, undefined]);
  });

  it('keeps a bounded number of addresses and streams, the newest', () => {
    for (let n = 0; n < 1_000; n++) learn('caller', `${NAT}:${n + 1}`, `${CALLEE}:4001`, { ssrcs: [n + 1] });
    expect(sideOf(`${NAT}:1`, '192.0.2.99:9', { ssrcs: [1] })).toBe('caller');
    expect(call.latched.ownerOf(`${NAT} 1`)).toEqual([]);
    expect(call.streams.ownerOf('1')).toEqual([]);
    expect(call.streams.ownerOf('1000')).toMatchObject([{ side: 'caller' }]);
  });
});
