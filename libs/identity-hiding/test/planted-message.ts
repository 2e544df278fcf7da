import * as fc from 'fast-check';

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
const TYPES = [
  'application/sdp',
  'text/plain',
  'message/sipfrag',
  'multipart/mixed;boundary=x',
  'application/pidf+xml',
];

const plan = fc.record({
  secret,
  first: fc.constantFrom(...FIRST),
  headers: fc.shuffledSubarray([...HEADERS], { minLength: 1 }),
  sdp: fc.shuffledSubarray([...SDP]),
  type: fc.constantFrom(...TYPES),
  newline: fc.constantFrom('\r\n', '\n'),
});

export interface PlantedMessage {
  /** A user, a number, or a word of a person's. */
  readonly secret: string;
  /** A message of SIP with the secret in many places, often malformed. */
  readonly text: string;
}

export const plantedMessage: fc.Arbitrary<PlantedMessage> = plan.map(
  ({ secret: word, first, headers, sdp, type, newline }) => {
    const lines = [first(word), ...headers.map((place) => place(word)), `Content-Type: ${type}`, ''];
    const body = ['v=0', ...sdp.map((place) => place(word)), 'm=audio 4000 RTP/AVP 0'];
    return { secret: word, text: [...lines, ...body].join(newline) };
  },
);
