import type { Dice } from '@ringdown/testing/fuzz/dice';
import { pumpString } from '@ringdown/testing/fuzz/pumps';

/** The size limit of a datagram. */
const PAYLOAD_LIMIT = 65_535;
const METHODS = 'INVITE INVITE INVITE BYE CANCEL ACK UPDATE REFER PUBLISH REGISTER OPTIONS'.split(' ');
const HEADERS = (
  'Via From To Call-ID CSeq Contact Content-Type Content-Length User-Agent Server Reason P-Asserted-Identity Session-ID ms-conversation-id X-CID Refer-To Referred-By Replaces Join Target-Dialog ' +
  'ms-diagnostics x-asterisk-hangupcause x-asterisk-hangupcausecode v f t i m l c k s Unknown'
).split(' ');
const VALUES = [
  '',
  '"Alice" <sip:alice@example.test>;tag=',
  '<sip:',
  '"',
  'SIP/2.0/UDP 192.0.2.10:5060;branch=',
  '1 INVITE',
  'multipart/mixed;boundary=',
  'multipart/mixed; boundary="-"',
  'application/sdp',
  'application/vq-rtcpxr',
  'Q.850;cause=17;text="',
  '1;reason="',
  '<sip:alice@192.0.2.10>;+sip.instance="<urn:uuid:',
  '<sip:alice@example.test>;epid=',
  '<sip:bob@example.test?Replaces=pumped%3B',
  'pumped;to-tag=',
  '<sip:bob@example.test;method=',
];
const SDP_LINES = (
  'v=0 o= s= i= u= e= p= c=IN_IP4_ c= b= b=AS: t= r= z= k= m=audio_4000_RTP/AVP_ m=audio_ m=video_4002_RTP/AVP_ m= a= a=rtpmap: a=rtpmap:0_ ' +
  'a=rtpmap:96_ a=fmtp:96_ a=rtcp: a=rtcp-fb:96_ a=ext a=extmap:1 a=extmap:1/ a=crypto: a=setup: a=connection: a=mid: a=msid: a=ptime: a=fingerprint: ' +
  'a=candidate: a=candidate:1_1_UDP_1_10.0.0.1_1_typ_ a=remote-candidates: a=ice-ufrag: a=ssrc:1_ a=ssrc-group:FEC_ a=msid-semantic: a=group:BUNDLE_ ' +
  'a=simulcast: a=simulcast:send_ a=simulcast:1_ a=rid:1_send_ a=imageattr:96_send_[ a=imageattr:97_ a=framerate: a=source-filter:_incl_ a=ts-refclk: ' +
  'a=mediaclk: a=keywds: a=content: a=bfcp-floorctrl: a=confid: a=label: a=floorid:1_mstrm: a=sctpmap:5000_ a=x-google-flag: a=path: a=control:'
)
  .split(' ')
  .map((line) => line.replaceAll('_', ' '));
const REPORT_LINES = (
  'CallID: LocalMetrics: RemoteMetrics: Timestamps:START= Timestamps:STOP= SessionDesc: LocalAddr:IP= LocalAddr:PORT= RemoteAddr:IP=10.0.0.1_PORT= ' +
  'PacketLoss:NLR= BurstGapLoss:BD= Delay:RTD= Delay: QualityEst:MOSLQ= QualityEst: Unknown'
)
  .split(' ')
  .map((line) => line.replaceAll('_', ' '));
const REPORT =
  'CallID: pumped\r\nLocalMetrics:\r\nTimestamps:START=2026-01-02T03:04:05Z STOP=2026-01-02T03:05:05Z\r\nLocalAddr:IP=192.0.2.10 PORT=4000\r\n';
const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.10\r\ns=-\r\nc=IN IP4 192.0.2.10\r\nt=0 0\r\n';
const MEDIUM = 'm=audio 4000 RTP/AVP 0\r\n';

/** A session description with pump strings after the beginnings of one or several lines. */
export function pumpedSdp(dice: Dice): string {
  const lines = Array.from({ length: 1 + dice.below(3) }, () => dice.of(SDP_LINES) + pumpString(dice, 30_000));
  const repeated = dice.onceIn(10) ? `${dice.of(SDP_LINES)}1\r\n`.repeat(1 + dice.below(1_000)) : '';
  return `${dice.onceIn(30) ? '' : SDP}${dice.onceIn(3) ? '' : MEDIUM}${repeated}${lines.join(dice.of(['\r\n', '\n']))}`;
}

/** A report of the quality of a call (RFC 6035). */
export function pumpedVoiceReport(dice: Dice): string {
  const lines = Array.from(
    { length: 1 + dice.below(4) },
    () => dice.of(REPORT_LINES) + pumpString(dice, PAYLOAD_LIMIT),
  );
  const kind = dice.onceIn(40)
    ? pumpString(dice, 1_000)
    : dice.of(['VQSessionReport', 'VQIntervalReport', 'VQSessionReport: CallTerm']);
  return `${kind}\r\n${dice.onceIn(4) ? '' : REPORT}${lines.join(dice.of(['\r\n', '\n', '\r\n ']))}`;
}

/** A SIP message with pump strings in one or several headers, in its body, and rarely in its first line. */
export function pumpedSip(dice: Dice): Buffer {
  const method = dice.of(METHODS);
  const status = 100 + dice.below(600);
  const phrase = dice.onceIn(3) ? pumpString(dice, PAYLOAD_LIMIT) : 'Busy Here';
  const first = dice.onceIn(3) ? `SIP/2.0 ${status} ${phrase}` : `${method} sip:bob@example.test SIP/2.0`;
  const isReport = dice.onceIn(8);
  const type = isReport ? 'application/vq-rtcpxr' : dice.onceIn(8) ? 'multipart/mixed;boundary=-' : 'application/sdp';
  const usual = [
    'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK-1',
    `From: "Alice" <sip:alice@example.test>;tag=a1`,
    `To: <sip:bob@example.test>${first.startsWith('SIP') || method !== 'INVITE' ? ';tag=b1' : ''}`,
    'Call-ID: pumped',
    `CSeq: 1 ${method}`,
    `Content-Type: ${type}`,
  ];
  const pumped = Array.from({ length: 1 + dice.below(3) }, () => header(dice));
  const kept = usual.filter((line) => !pumped.some((other) => sameName(line, other)) || dice.onceIn(10));
  const many = dice.onceIn(50) ? `${dice.of(HEADERS)}: ${dice.of(VALUES)}\r\n`.repeat(1 + dice.below(600)) : '';
  const body = dice.onceIn(3) ? '' : isReport ? pumpedVoiceReport(dice) : pumpedSdp(dice);
  const start = dice.onceIn(50) ? pumpString(dice, PAYLOAD_LIMIT) : first;
  return Buffer.from(`${[start, ...pumped, ...kept].join('\r\n')}\r\n${many}\r\n${body}`).subarray(0, PAYLOAD_LIMIT);
}

function header(dice: Dice): string {
  const name = dice.onceIn(40) ? pumpString(dice, 1_000) : dice.of(HEADERS);
  const fold = dice.onceIn(20) ? '\r\n\t' : '';
  return `${name}: ${dice.of(VALUES)}${fold}${pumpString(dice, dice.onceIn(20) ? PAYLOAD_LIMIT : 30_000)}`;
}

function sameName(line: string, other: string): boolean {
  return line.split(':', 1)[0] === other.split(':', 1)[0];
}
