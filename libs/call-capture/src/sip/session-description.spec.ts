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
    [
      'a=candidate:1 2 UDP 2113667327 2001:DB8:0::7 54400 typ host',
      { candidates: [{ ip: '2001:db8::7', port: 54_400 }] },
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
