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

/** The headers of a part of a multipart body, and its text. */
const PARTS: readonly Place[] = [
  (s) => `Content-Type: application/pidf+xml\r\n\r\n<presence entity="pres:${s}@example.test"><n>${s}</n></presence>`,
  (s) =>
    `Content-Type: application/rs-metadata+xml; x=${s}\r\nContent-ID: <${s}@example.test>\r\n\r\n<name>${s}</name>`,
  (s) =>
    `Content-Type: message/sipfrag\r\n\r\nINVITE sip:${s}@example.test SIP/2.0\r\nTo: ${s} <sip:${s}@example.test>`,
  (s) => `Content-Type: application/sdp\r\nContent-Description: ${s}\r\n\r\n${s}\r\ns=${s}`,
  (s) => `Content-Disposition: session;x=${s}\r\n${s}: ${s}\r\n\r\n${s}`,
  (s) => `Content-Type: multipart/mixed;boundary="${s}"\r\n\r\n--${s}\r\n\r\n${s}\r\n--${s}--`,
  (s) => `\r\nv=0\r\n${s}`,
  (s) => s,
];

const plan = fc.record({
  secret,
  first: fc.constantFrom(...FIRST),
  headers: fc.shuffledSubarray([...HEADERS], { minLength: 1 }),
  sdp: fc.shuffledSubarray([...SDP]),
  parts: fc.shuffledSubarray([...PARTS]),
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
  ({ secret: word, first, headers, sdp, parts, type, newline }) => {
    const lines = [first(word), ...headers.map((place) => place(word)), `Content-Type: ${type}`, ''];
    const description = ['v=0', ...sdp.map((place) => place(word)), 'm=audio 4000 RTP/AVP 0'];
    const others = parts.flatMap((place) => ['--x', place(word).replaceAll('\r\n', newline)]);
    const isSplit = type.startsWith('multipart/') && others.length > 0;
    const body = isSplit
      ? ['--x', 'Content-Type: application/sdp', '', ...description, ...others, '--x--']
      : description;
    return { secret: word, text: [...lines, ...body].join(newline) };
  },
);

/** Where phones and servers write the names of their hosts. */
const HOST_PLACES: readonly Place[] = [
  (s) => `Via: SIP/2.0/UDP ${s}:5060;rport;branch=z9hG4bK1`,
  (s) => `v: SIP/2.0/TLS ${s.toUpperCase()};received=192.0.2.1, SIP/2.0/UDP ${s}.lan`,
  (s) => `Via: SIP/2.0/UDP 192.0.2.1;received=${s};maddr=${s}`,
  (s) => `Contact: <sip:ben@${s}:5060;transport=udp>;expires=60`,
  (s) => `m: sip:${s}.local`,
  (s) => `m: <sips:${s}.example.test>`,
  (s) => `Record-Route: <sip:${s};lr>, <sip:proxy@${s}.example.test:5060;lr>`,
  (s) => `Route: <sip:${s}.lan;lr>`,
  (s) => `Path: <sip:${s}.lan;lr>`,
  (s) => `Service-Route: <sip:${s}.lan;lr>`,
  (s) => `Refer-To: <sip:cleo@${s}.lan>`,
  (s) => `Warning: 399 ${s}.lan "x"`,
];
const HOST_LINES: readonly Place[] = [
  (s) => `o=- 1 1 IN IP4 ${s}.lan`,
  (s) => `c=IN IP4 ${s}`,
  (s) => `a=candidate:1 1 UDP 2130706431 ${s}.local 4000 typ host`,
  (s) => `a=rtcp:4001 IN IP4 ${s}.lan`,
];
const HOST_FIRST: readonly Place[] = [
  (s) => `BYE sip:ben@${s}.lan:5060 SIP/2.0`,
  (s) => `BYE sip:${s}.lan SIP/2.0`,
  () => 'BYE sip:ben@192.0.2.7 SIP/2.0',
  () => 'SIP/2.0 200 OK',
];

/** A message of SIP with the name of a host in many places, but not as the domain of its users. */
export const messageOfHosts: fc.Arbitrary<{ readonly name: string; readonly text: string }> = fc
  .record({
    name,
    first: fc.constantFrom(...HOST_FIRST),
    headers: fc.shuffledSubarray([...HOST_PLACES], { minLength: 1 }),
    sdp: fc.shuffledSubarray([...HOST_LINES]),
  })
  .map(({ name: host, first, headers, sdp }) => {
    const users = [
      `From: anna@${host}.lan <sip:anna@example.test>;tag=1`,
      'To: <sip:ben@192.0.2.7>',
      'Content-Type: application/sdp',
    ];
    const head = [first(host), ...headers.map((place) => place(host)), ...users, ''];
    return { name: host, text: [...head, 'v=0', ...sdp.map((place) => place(host))].join('\r\n') };
  });
