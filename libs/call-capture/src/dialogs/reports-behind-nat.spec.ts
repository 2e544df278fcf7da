import { PlayedCall } from '../../test/played-call.js';
import { sdp } from '../../test/sip-messages.js';

describe('reports of parties behind NAT', () => {
  const NAT = { ip: '198.51.100.7', port: 61_001 };
  const BOBS = { ip: '192.0.2.20', port: 5_001 };
  const [relayForBob, relayForAlice] = [
    { ip: '192.0.2.99', port: 30_001 },
    { ip: '192.0.2.99', port: 30_003 },
  ];
  const reportOn = (source_ssrc: number, ssrc: number, fraction_lost = 64): object => ({
    ssrc,
    report_blocks: [{ source_ssrc, fraction_lost, ia_jitter: 80 }],
  });
  let call: PlayedCall;

  function lossOf(id: string): unknown {
    const [event] = call.pass(30_000).filter((each) => 'to' in each && each.to?.id === id);
    return event && 'metrics' in event ? event.metrics['PacketLossRate']?.value : undefined;
  }

  beforeEach(() => {
    call = new PlayedCall();
    call.invite({ body: sdp('192.168.1.10', 4_000) });
  });

  it('count for the side that sent them, with the id of the call and without', () => {
    call.answer();
    expect(call.report(NAT, BOBS, reportOn(2, 1), 'call-1')).toBeUndefined();
    expect(call.report(NAT, BOBS, reportOn(2, 1))).toBeUndefined();
    call.bye();
    expect(lossOf('a1')).toBe(0.25);
  });

  it('count if a relay is between, whose addresses are in copies of the messages behind the proxy', () => {
    call.invite({ branch: 'z9hG4bK-proxy', body: sdp(relayForAlice.ip, 30_002) });
    call.answer({ branch: 'z9hG4bK-proxy', body: sdp('192.168.7.7', 5_000) });
    call.answer({ body: sdp(relayForBob.ip, 30_000) });
    expect(call.report(NAT, relayForBob, reportOn(2, 1, 0))).toBeUndefined();
    expect(call.report({ ip: '198.51.100.8', port: 5 }, relayForAlice, reportOn(1, 2))).toBeUndefined();
    call.bye();
    expect(lossOf('b1')).toBe(0.25);
  });

  it('find their call by SSRC if the addresses are unknown and no other call has that SSRC', () => {
    call.answer();
    expect(call.report(NAT, BOBS, reportOn(2, 1))).toBeUndefined();
    const elsewhere = [
      { ip: '192.0.2.98', port: 1 },
      { ip: '192.0.2.97', port: 2 },
    ] as const;
    expect(call.report(...elsewhere, reportOn(2, 1))).toBeUndefined();
    call.invite({ callId: 'other', body: sdp('192.0.2.30', 4_000) });
    call.answer({ callId: 'other', body: sdp('192.0.2.40', 5_000) });
    expect(call.report({ ip: '192.0.2.30', port: 4_001 }, elsewhere[1], reportOn(2, 1))).toBeUndefined();
    expect(call.report({ ip: '192.0.2.98', port: 9 }, { ip: '192.0.2.97', port: 9 }, reportOn(2, 1))).toBe(
      'unknown call',
    );
  });

  describe('of which both have the same private address', () => {
    const [alices, bobs] = ['198.51.100.7', '203.0.113.8'];
    const description = sdp('192.168.1.10', 4_000);

    beforeEach(() => {
      call = new PlayedCall();
    });

    it.each([
      ['NAT keeps the ports', 4_001, 4_001],
      ['NAT changes the ports', 61_001, 50_123],
      ['one NAT changes the port', 61_001, 4_001],
    ])('count for the side that sent them when %s', (_how, alicesPort, bobsPort) => {
      call.invite({ body: description }, alices);
      call.answer({ body: description }, bobs);
      const [alice, bob] = [
        { ip: alices, port: alicesPort },
        { ip: bobs, port: bobsPort },
      ];
      expect(call.report(alice, bob, reportOn(2, 1))).toBeUndefined();
      expect(call.report(bob, alice, reportOn(1, 2, 0))).toBeUndefined();
      call.bye();
      const events = call.pass(30_000).filter((each) => 'metrics' in each);
      const losses = events.map((each) => [
        'to' in each && each.to?.id,
        'metrics' in each && each.metrics['PacketLossRate']?.value,
      ]);
      expect(Object.fromEntries(losses)).toEqual({ a1: 0.25, b1: 0 });
    });

    it('count by the Via that a proxy completed', () => {
      const via = `Via: SIP/2.0/UDP 192.168.1.10:5060;received=${alices};rport=61000;branch=z9hG4bK-phone`;
      call.invite({ body: description, headers: [via] }, '192.0.2.1');
      call.answer({ body: description }, bobs);
      expect(call.report({ ip: alices, port: 4_001 }, { ip: bobs, port: 4_001 }, reportOn(2, 1))).toBeUndefined();
      call.bye();
      expect(lossOf('a1')).toBe(0.25);
    });

    it('count for no call if two have the same hosts and other ports', () => {
      for (const callId of ['one', 'two']) {
        call.invite({ callId, body: description }, alices);
        call.answer({ callId, body: description }, bobs);
      }
      const ends = [
        { ip: alices, port: 61_001 },
        { ip: bobs, port: 50_123 },
      ] as const;
      expect(call.report(...ends, reportOn(2, 1))).toBe('unknown call');
    });
  });

  it('count for no call if the addresses belong to two', () => {
    call.answer();
    call.invite({ callId: 'other', body: sdp('192.0.2.30', 4_000) });
    expect(call.report({ ip: '192.0.2.30', port: 4_001 }, BOBS, reportOn(2, 1))).toBe('contradicting evidence');
  });

  it('count for the medium of their SSRC if audio and video have one port', () => {
    const bundled = (ip: string, first: number): string => {
      const text = sdp(ip, 4_000, { videoPort: 4_000, audio: ['a=rtcp-mux', `a=ssrc:${first} cname:x`] });
      return `${text}a=rtcp-mux\r\na=ssrc:${first + 1} cname:x\r\n`;
    };
    call.invite({ callId: 'both', body: bundled('192.0.2.50', 10) });
    call.answer({ callId: 'both', body: bundled('192.0.2.60', 20) });
    const blocks = [20, 21].map((source_ssrc) => ({ source_ssrc, fraction_lost: source_ssrc === 20 ? 0 : 128 }));
    const [alices, bobs] = [
      { ip: '192.0.2.50', port: 4_000 },
      { ip: '192.0.2.60', port: 4_000 },
    ];
    expect(call.report(alices, bobs, { ssrc: 10, report_blocks: blocks })).toBeUndefined();
    expect(call.report(alices, bobs, { ssrc: 10, report_blocks: [{ source_ssrc: 99, fraction_lost: 1 }] })).toBe(
      'unknown medium',
    );
    call.bye({ callId: 'both' });
    const events = call
      .pass(5_000)
      .map((event) => 'metrics' in event && [event.mediaType, event.metrics['PacketLossRate']?.value]);
    expect(events).toEqual([
      ['audio', 0],
      ['video', 0.5],
    ]);
  });

  it('count for the medium of their SSRC if the candidates of a bundle are those of its first medium', () => {
    const bundle = (ip: string, first: number): string => {
      const candidate = `a=candidate:1 1 udp 1 ${ip} 40000 typ host`;
      const text = sdp('0.0.0.0', 9, {
        videoPort: 9,
        audio: ['a=mid:0', 'a=rtcp-mux', candidate, `a=ssrc:${first} cname:x`],
      });
      const grouped = text.replace('t=0 0', 't=0 0\r\na=group:BUNDLE 0 1');
      return `${grouped}a=mid:1\r\na=rtcp-mux\r\na=ssrc:${first + 1} cname:x\r\n`;
    };
    call.invite({ callId: 'web', body: bundle('192.0.2.50', 10) });
    call.answer({ callId: 'web', body: bundle('192.0.2.60', 20) });
    const blocks = [20, 21].map((source_ssrc) => ({ source_ssrc, fraction_lost: source_ssrc === 20 ? 0 : 128 }));
    const [alices, bobs] = ['192.0.2.50', '192.0.2.60'].map((ip) => ({ ip, port: 40_000 }));
    if (!alices || !bobs) throw new Error('two addresses are needed');
    for (let n = 0; n < 2; n++) {
      expect(call.report(alices, bobs, { ssrc: 10, report_blocks: blocks })).toBeUndefined();
    }
    call.bye({ callId: 'web' });
    const losses = call.pass(5_000).map((event) => {
      return 'metrics' in event && [event.mediaType, event.metrics['PacketLossRate']?.value];
    });
    expect(losses).toEqual([
      ['audio', 0],
      ['video', 0.5],
    ]);
  });
});
