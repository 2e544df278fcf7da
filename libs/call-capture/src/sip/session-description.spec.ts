import * as fc from 'fast-check';
import { sdp } from '../../test/sip-messages.js';
import { readSessionDescription } from './session-description.js';

function withLines(...lines: string[]): string {
  return ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', 't=0 0', ...lines, ''].join('\r\n');
}

describe('readSessionDescription', () => {
  it('returns address, ports, direction and codecs of each medium', () => {
    expect(readSessionDescription(sdp('192.0.2.10', 4_000, { videoPort: 4_002 }))).toEqual([
      {
        mediaType: 'audio',
        ip: '192.0.2.10',
        port: 4_000,
        rtcpPort: 4_001,
        protocol: 'UDP',
        sends: true,
        receives: true,
        isOff: false,
        codecs: [
          { payloadType: 0, name: 'PCMU/8000', clockRate: 8_000 },
          { payloadType: 101, name: 'telephone-event/8000', clockRate: 8_000 },
        ],
      },
      expect.objectContaining({
        mediaType: 'video',
        port: 4_002,
        codecs: [expect.objectContaining({ name: 'H264/90000' })],
      }),
    ]);
  });

  it.each([
    ['a=sendonly', { sends: true, receives: false }],
    ['a=recvonly', { sends: false, receives: true }],
    ['a=inactive', { sends: false, receives: false }],
    ['c=IN IP4 0.0.0.0', { sends: true, receives: false }],
    ['b=AS:64', { bandwidthLimit: 64_000 }],
    ['b=TIAS:50000', { bandwidthLimit: 50_000 }],
    ['a=rtcp:7000', { rtcpPort: 7_000, rtcp: { port: 7_000 } }],
    ['a=rtcp:7000 IN IP4 198.51.100.7', { rtcpPort: 7_000, rtcp: { ip: '198.51.100.7', port: 7_000 } }],
    ['c=IN IP6 0:0:0::0', { sends: true, receives: false }],
    ['c=IN IP4 hold.invalid', { sends: true, receives: false }],
    [
      'a=candidate:1 2 UDP 2113667327 2001:DB8:0::7 54400 typ host',
      { candidates: [{ ip: '2001:db8::7', port: 54_400, priority: 2_113_667_327, isRtp: false }] },
    ],
    [
      'a=remote-candidates:1 192.0.2.3 45664 2 192.0.2.3 45665 1 name.local 9',
      {
        remoteCandidates: [
          { ip: '192.0.2.3', port: 45_664 },
          { ip: '192.0.2.3', port: 45_665 },
        ],
      },
    ],
    ['a=ssrc:314159 cname:abc', { streams: [{ ssrc: 314_159, cname: 'abc' }] }],
    ['a=ssrc:99999999999 cname:abc', { rtcpPort: 4_001 }],
    ['a=rtcp-mux', { rtcpPort: 4_000 }],
    ['a=rtpmap:0 opus/48000/2', { codecs: [{ payloadType: 0, name: 'opus/48000', clockRate: 48_000 }] }],
    ['c=IN IP6 2001:db8::1', { ip: '2001:db8::1' }],
  ])('reads %s', (line, expected) => {
    expect(readSessionDescription(withLines('m=audio 4000 RTP/AVP 0', line))).toEqual([
      expect.objectContaining(expected),
    ]);
  });

  it('applies session lines to media without their own', () => {
    const text = withLines(
      'c=IN IP4 192.0.2.7',
      'b=AS:100',
      'a=inactive',
      'm=audio 4000 RTP/AVP 8',
      'm=video 0 TCP/RTP/AVP 34',
    );
    expect(readSessionDescription(text)).toMatchObject([
      { ip: '192.0.2.7', sends: false, bandwidthLimit: 100_000, codecs: [{ name: 'PCMA/8000' }], isOff: false },
      { isOff: true, protocol: 'TCP', codecs: [{ name: 'H263/90000' }] },
    ]);
  });

  it('keeps the place of unknown media', () => {
    const text = withLines('m=application 9 UDP/BFCP *', 'm=audio 4000 RTP/AVP 0', 'm=text 4100 RTP/AVP 98');
    expect(readSessionDescription(text)).toEqual([
      undefined,
      expect.objectContaining({ mediaType: 'audio' }),
      expect.objectContaining({ mediaType: 'text', port: 4_100 }),
    ]);
  });

  it('reads a medium with a number of ports, and lines that end without a carriage return', () => {
    const text = withLines('c=IN IP4 192.0.2.7', 'm=audio 4000/2 RTP/AVP 8').replaceAll('\r', '');
    expect(readSessionDescription(text)).toMatchObject([{ ip: '192.0.2.7', port: 4_000, rtcpPort: 4_001 }]);
  });

  describe('of a party that uses ICE', () => {
    /** RFC 8840, 4.1.1: no candidates are known yet. */
    const nowhere = ['c=IN IP4 0.0.0.0', 'm=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=rtcp:9 IN IP4 0.0.0.0', 'a=rtcp-mux'];
    const host = 'a=candidate:1 1 udp 2122260223 192.168.1.10 40000 typ host';
    const reflexive = 'a=candidate:2 1 udp 1686052607 198.51.100.7 61000 typ srflx raddr 192.168.1.10 rport 40000';

    it.each([
      ['a=ice-ufrag:8hhY', nowhere],
      ['a=ice-options:trickle', nowhere],
      ['a=end-of-candidates', nowhere],
      ['a=ice-lite', ['a=ice-lite', ...nowhere]],
      ['a=ice-ufrag of the session', ['a=ice-ufrag:8hhY', ...nowhere]],
      ['a=ice-ufrag with IPv6', ['a=ice-ufrag:8hhY', 'c=IN IP6 ::', ...nowhere.slice(1)]],
    ])('is not on hold without an address: %s', (line, lines) => {
      const [medium] = readSessionDescription(withLines(...lines, line)) ?? [];
      expect(medium).toMatchObject({ sends: true, receives: true, isOff: false });
      for (const name of ['ip', 'port', 'rtcpPort', 'rtcp']) expect(medium).not.toHaveProperty(name);
    });

    it.each([
      ['a=inactive', false, false],
      ['a=sendonly', true, false],
      ['a=recvonly', false, true],
    ])('is on hold by %s, also of the session', (line, sends, receives) => {
      for (const lines of [
        [...nowhere, 'a=ice-ufrag:1', line],
        [line, ...nowhere, 'a=ice-ufrag:1'],
      ]) {
        expect(readSessionDescription(withLines(...lines))).toMatchObject([{ sends, receives }]);
      }
    });

    it('receives at its preferred candidate if it names no other place', () => {
      const rtcp = 'a=candidate:1 2 udp 2122260299 192.168.1.10 40001 typ host';
      const tcp = 'a=candidate:3 1 tcp 2122260999 192.168.1.10 9 typ host tcptype active';
      const name = 'a=candidate:4 1 udp 2122262999 1f4712db-ea17-4bcf-a596-105139dfd8bf.local 50000 typ host';
      const lines = [...nowhere, reflexive, tcp, name, rtcp, host];
      expect(readSessionDescription(withLines(...lines))).toMatchObject([{ ip: '192.168.1.10', port: 40_000 }]);
    });

    it('receives where its description says, whatever its candidates are', () => {
      const lines = ['c=IN IP4 198.51.100.7', 'm=audio 61000 RTP/SAVPF 0', host, reflexive];
      expect(readSessionDescription(withLines(...lines))).toMatchObject([{ ip: '198.51.100.7', port: 61_000 }]);
    });
  });

  describe('of a bundle (RFC 9143)', () => {
    const group = 'a=group:BUNDLE a v';
    const video = (...lines: string[]): string[] => ['m=video 0 RTP/SAVPF 34', 'a=mid:v', ...lines];

    it.each([
      ['an address', ['c=IN IP4 192.0.2.7', 'm=audio 4000 RTP/SAVPF 0', 'a=mid:a']],
      [
        'a candidate',
        ['c=IN IP4 0.0.0.0', 'm=audio 9 RTP/SAVPF 0', 'a=mid:a', 'a=candidate:1 1 udp 1 192.0.2.7 4000 typ host'],
      ],
      [
        'a candidate of a data channel',
        [
          'c=IN IP4 0.0.0.0',
          'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
          'a=mid:a',
          'a=candidate:1 1 udp 1 192.0.2.7 4000 typ host',
        ],
      ],
    ])('uses the place of the first medium, which names %s', (_what, first) => {
      const read = (...lines: string[]): unknown => readSessionDescription(withLines(group, ...first, ...lines))?.[1];
      const place = { ip: '192.0.2.7', port: 4_000, isOff: false, isBundled: true };
      expect(read(...video('a=bundle-only'))).toMatchObject(place);
      expect(read('m=video 9 RTP/SAVPF 34', 'a=mid:v', 'c=IN IP4 0.0.0.0', 'a=ice-ufrag:1')).toMatchObject(place);
    });

    it('is rejected by port 0, unless it only uses the port of the bundle that it is in', () => {
      const first = ['c=IN IP4 192.0.2.7', 'm=audio 4000 RTP/SAVPF 0', 'a=mid:a'];
      const isOff = (...lines: string[]): unknown => readSessionDescription(withLines(...lines))?.[1]?.isOff;
      expect(isOff(group, ...first, ...video())).toBe(true);
      expect(isOff('a=group:BUNDLE a', ...first, ...video('a=bundle-only'))).toBe(true);
      expect(isOff(group, ...first, ...video('a=bundle-only'))).toBe(false);
    });
  });

  it('marks the media of a bundle', () => {
    const text = withLines(
      'a=group:BUNDLE a v',
      'm=audio 4000 RTP/AVP 0',
      'a=mid:a',
      'm=video 9 RTP/AVP 34',
      'a=mid:x',
    );
    const media = readSessionDescription(text) ?? [];
    expect(media.map((medium) => medium?.isBundled)).toEqual([true, undefined]);
  });

  it('ignores impossible values', () => {
    const [medium] = readSessionDescription(
      withLines(
        'c=IN IP4 host.example',
        'm=audio 99999 RTP/AVP 0 96 97 x 300000',
        'a=rtpmap:96 <x>/8000',
        'a=rtpmap:97 opus/0',
      ),
    ) ?? [undefined];
    expect(medium?.codecs).toEqual([{ payloadType: 0, name: 'PCMU/8000', clockRate: 8_000 }]);
    expect(medium).not.toHaveProperty('ip');
    expect(medium).not.toHaveProperty('port');
  });

  it.each(['', 'hello', 'm=audio 1 RTP/AVP 0', `v=0\r\n${'a=x\r\n'.repeat(10_000)}`])('rejects %.20j', (text) => {
    expect(readSessionDescription(text)).toBeUndefined();
  });

  it('returns a bounded number of media and codecs for any lines', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc
        .tuple(
          fc.constantFrom('m=audio ', 'm=', 'a=rtpmap:', 'c=IN IP4 ', 'a=', 'b=', 'a=rtcp:'),
          fc.string({ maxLength: 30 }),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const media = readSessionDescription(withLines(...lines)) ?? [];
        expect(media.length).toBeLessThanOrEqual(16);
        for (const medium of media) expect(medium?.codecs.length ?? 0).toBeLessThanOrEqual(32);
      }),
    );
  });

  it.each(['c=IN IP4 5', 'a=remote-candidates:5', 'a=rtcp:5 IN IP4 5', 'a=candidate:1 1 UDP 1 5 5 typ host'])(
    'is read with a number in place of an address: %s',
    (line) => {
      const text = `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n${line}\r\n`;
      expect(readSessionDescription(text)).toMatchObject([{ mediaType: 'audio', port: 4_000 }]);
    },
  );
});
