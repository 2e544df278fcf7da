import * as fc from 'fast-check';
import { IdentityHiding } from './identity-hiding.js';

const hiding = new IdentityHiding('a seed of the test for messages');

const name = fc.stringMatching(/^zq[a-z]{2,12}xj$/);
const number = fc.stringMatching(/^[1-9]\d{8,13}$/);
const secret = fc.oneof(name, number);

type Place = (secret: string) => string;

/** Where real messages have users, numbers, names of people, and texts that they write. */
const HEADERS: readonly Place[] = [
  (s) => `From: "${s} ${s}" <sip:${s}@example.test>;tag=${s}`,
  (s) => `To: ${s} <sips:${s}:${s}@[2001:db8::1]:5061;user=phone;x=${s}>`,
  (s) => `Contact: <sip:${s}@192.0.2.1;transport=udp;ob=${s}>;+sip.instance="<urn:uuid:${s}>";expires=60;q=${s}`,
  (s) => `m: "a, \\"${s}\\" <b>" <sip:${s}@example.test>, <tel:+${s};phone-context=${s}>`,
  (s) => `P-Asserted-Identity: tel:${s}, "${s}" <sip:${s}@example.test>`,
  (s) => `Remote-Party-ID: ${s} <sip:+${s}@example.test>;party=calling;screen=${s}`,
  (s) => `Diversion: <sip:${s}@example.test>;reason=${s};counter=1`,
  (s) => `History-Info: <sip:${s}@example.test?Reason=SIP%3Btext%3D${s}>;index=1.1`,
  (s) => `Referred-By: <sip:${s}@example.test>;cid="${s}@example.test"`,
  (s) => `Refer-To: <sip:${s}@example.test?Replaces=${s}%40host%3Bto-tag%3D${s}>`,
  (s) => `Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK${s};received=${s};i=${s}`,
  (s) => `Route: <sip:${s}@example.test;lr;${s}=${s}>`,
  (s) => `Call-ID: ${s}@192.0.2.9`,
  (s) => `i: ${s}@${s}`,
  (s) => `Replaces: ${s}@example.test;to-tag=${s};from-tag=${s}`,
  (s) => `Subject: lunch with ${s}?`,
  (s) => `Organization: ${s}`,
  (s) => `User-Agent: phone of ${s}/1.0 (+${s})`,
  (s) => `Authorization: Digest username="${s}", realm="example.test", uri="sip:${s}@example.test", response="${s}"`,
  (s) => `X-${s}: ${s}`,
  (s) => `${s}: sip:${s}@example.test`,
  (s) => `Reason: SIP;cause=480;text="${s} is out"`,
  (s) => `Warning: 399 example.test "${s}"`,
  (s) => `Supported: timer, ${s}`,
  (s) => `Event: ${s};id=${s}`,
  (s) => `Content-Type: application/sdp;name=${s}`,
  (s) => `Geolocation: <cid:${s}@example.test>`,
  (s) => `Session-Expires: 1800;refresher=${s}`,
  (s) => `CSeq: 1 ${s.toUpperCase()}`,
  (s) => `Max-Forwards: 70 ${s}`,
  (s) => `Date: ${s}`,
  (s) => `To: sip:${s}`,
  (s) => s,
  (s) => `From: <sip:${s}`,
  (s) => `Subject: a\r\n ${s}`,
];
const SDP: readonly Place[] = [
  (s) => `o=${s} 1 1 IN IP4 192.0.2.1`,
  (s) => `s=${s}`,
  (s) => `s=call of ${s}`,
  (s) => `i=${s}`,
  (s) => `u=http://example.test/${s}`,
  (s) => `e=${s}@example.test`,
  (s) => `p=+${s}`,
  (s) => `a=label:${s}`,
  (s) => `a=ssrc:1 cname:${s}@example.test`,
  (s) => `a=ice-ufrag:${s}`,
  (s) => `a=x-${s}:${s}`,
  (s) => s,
];
const FIRST: readonly Place[] = [
  (s) => `INVITE sip:${s}@example.test;user=phone SIP/2.0`,
  (s) => `INVITE tel:+${s} SIP/2.0`,
  (s) => `${s.toUpperCase().replaceAll(/\d/g, 'A')} sip:example.test SIP/2.0`,
  (s) => `SIP/2.0 480 ${s} is away`,
  (s) => `SIP/2.0 ${s}`,
  (s) => s,
];
const BODIES = [
  'application/sdp',
  'text/plain',
  'message/sipfrag',
  'multipart/mixed;boundary=x',
  'application/pidf+xml',
];

const planted = fc.record({
  secret,
  first: fc.constantFrom(...FIRST),
  headers: fc.shuffledSubarray([...HEADERS], { minLength: 1 }),
  sdp: fc.shuffledSubarray([...SDP]),
  type: fc.constantFrom(...BODIES),
  newline: fc.constantFrom('\r\n', '\n'),
});

describe('hiding users in a message of SIP', () => {
  it('leaves no user, number, display name or session name in any generated message', () => {
    fc.assert(
      fc.property(planted, ({ secret: user, first, headers, sdp, type, newline }) => {
        const lines = [first(user), ...headers.map((place) => place(user)), `Content-Type: ${type}`, ''];
        const body = ['v=0', ...sdp.map((place) => place(user)), 'm=audio 4000 RTP/AVP 0'];
        const hidden = hiding.sipMessage([...lines, ...body].join(newline));
        expect(hidden.toLowerCase()).not.toContain(user.toLowerCase());
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows what is not about people', () => {
    const hidden = hiding.sipMessage(
      [
        'INVITE sip:bob@example.test SIP/2.0',
        'Via: SIP/2.0/UDP 192.0.2.9:5060;rport;branch=z9hG4bKd9a4.6b2f0c31.0',
        'Max-Forwards: 70',
        'From: "Alice" <sip:alice@example.test>;tag=5f3a90c1',
        'To: <sip:bob@example.test>',
        'Call-ID: 0123456789abcdef@192.0.2.9',
        'CSeq: 1 INVITE',
        'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, SUBSCRIBE',
        'Supported: timer, 100rel',
        'User-Agent: Asterisk PBX 18.2.0',
        'Content-Type: application/sdp',
        'Content-Length: 999',
        '',
        'v=0',
        'o=- 1 1 IN IP4 192.0.2.9',
        's=-',
        'c=IN IP4 192.0.2.9',
        't=0 0',
        'm=audio 4000 RTP/AVP 0',
        'a=rtpmap:0 PCMU/8000',
        '',
      ].join('\r\n'),
    );
    const [alice, bob] = [hiding.token('alice'), hiding.token('bob')];
    const [head = '', body = ''] = hidden.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      `INVITE sip:${bob}@example.test SIP/2.0`,
      'Via: SIP/2.0/UDP 192.0.2.9:5060;rport;branch=z9hG4bKd9a4.6b2f0c31.0',
      'Max-Forwards: 70',
      `From: "${alice}" <sip:${alice}@example.test>;tag=5f3a90c1`,
      `To: <sip:${bob}@example.test>`,
      'Call-ID: 0123456789abcdef@192.0.2.9',
      'CSeq: 1 INVITE',
      'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, SUBSCRIBE',
      'Supported: timer, 100rel',
      'User-Agent: Asterisk PBX 18.2.0',
      'Content-Type: application/sdp',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]);
    expect(body).toContain('m=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000');
  });

  it('leaves only reports of RTCP', () => {
    const report = Buffer.alloc(8);
    report.writeUInt32BE(0x80c90001, 0);
    const description = Buffer.concat([
      Buffer.from([0x81, 202, 0, 3, 0, 0, 0, 1, 1, 5]),
      Buffer.from('alice'),
      Buffer.alloc(1),
    ]);
    expect(hiding.rtcp(Buffer.concat([report, description]))).toEqual(report);
    expect(hiding.rtcp(Buffer.from('{"alice":1}'))).toHaveLength(0);
  });
});
