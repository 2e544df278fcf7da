import { DOMAIN, PASSWORD } from './kamailio-config.js';
import { CORE, type PhonePlace } from './phone-network.js';
import { sending, startSipp } from './sipp.js';

export const BACK_TO_BACK_PORT = 5_070;
const OUTGOING_PORT = 5_071;
/** Between the two sipp. */
const COMMAND_PORT = 5_072;
const USER = 'desk';

/** Both sipp know the call by the Call-ID of the incoming leg. */
const COMMAND = 'Call-ID: [call_id]';
const ADDRESS = '[local_ip]:[local_port]';
const CONTACT = `Contact: <sip:${USER}@${ADDRESS}>`;
const NO_BODY = ['Content-Length: 0', ''];
const SDP_OF_OTHER = ['Content-Type: application/sdp', 'Content-Length: [len]', '', '[$sdp]'];
const KEEP_SDP = '<ereg regexp=".*" search_in="body" check_it="true" assign_to="sdp"/>';

/**
 * A back-to-back user agent: one sipp answers the calls, the other one calls these users in turn. All but the last one reject. Each leg has
 * a Call-ID of its own, and `X-CID` of an outgoing leg names the incoming one. The caller ends the call.
 */
export async function startBackToBack(place: PhonePlace, users: readonly string[], folder: string): Promise<void> {
  const between = ['-3pcc', `${place.address}:${COMMAND_PORT}`];
  const outgoing = { name: 'outgoing-legs', port: OUTGOING_PORT, steps: outgoingSteps(users) };
  await startSipp(place, folder, outgoing, { options: [`${CORE}:5060`, ...between], listensAt: COMMAND_PORT });
  const incoming = { name: 'incoming-leg', port: BACK_TO_BACK_PORT, steps: incomingSteps() };
  await startSipp(place, folder, incoming, { options: between });
}

/** Of the call to the n-th of the users. sipp finds its call by what follows the slashes. */
export function outgoingCallId(incoming: string, n: number): string {
  return `leg${n}///${incoming}`;
}

const ECHOED = ['Via', 'Record-Route', 'From', 'To', 'Call-ID', 'CSeq'];

/** `last_` is also what the other sipp has sent: what a later response repeats is kept. */
function incomingSteps(): readonly string[] {
  const keep = ECHOED.map((name) => `<assignstr assign_to="${name}" value="[last_${name}:]"/>`);
  const respondToInvite = (status: string, content: readonly string[]): string =>
    sending('send', [
      `SIP/2.0 ${status}`,
      ...ECHOED.map((name) => (name === 'To' ? '[$To];tag=[call_number]in' : `[$${name}]`)),
      CONTACT,
      ...content,
    ]);
  return [
    `<recv request="INVITE"><action>${KEEP_SDP}</action></recv>`,
    `<nop><action>${keep.join('')}</action></nop>`,
    respondToInvite('180 Ringing', NO_BODY),
    sending('sendCmd', [COMMAND, '', '[$sdp]']),
    `<recvCmd><action>${KEEP_SDP}</action></recvCmd>`,
    respondToInvite('200 OK', SDP_OF_OTHER),
    '<recv request="ACK"/>',
    '<recv request="BYE"/>',
    sending('send', ['SIP/2.0 200 OK', ...last('Via', 'From', 'To', 'Call-ID', 'CSeq'), ...NO_BODY]),
    sending('sendCmd', [COMMAND, '']),
  ];
}

function outgoingSteps(users: readonly string[]): readonly string[] {
  const legs = users.map((user, n) => new OutgoingLeg(user, n));
  const rejected = legs.slice(0, -1).flatMap((leg) => leg.rejected());
  const answered = legs.slice(-1).flatMap((leg) => leg.answered());
  return [`<recvCmd><action>${KEEP_SDP}</action></recvCmd>`, ...rejected, ...answered];
}

class OutgoingLeg {
  private readonly callId: string;
  private readonly uri: string;

  constructor(
    user: string,
    private readonly place: number,
  ) {
    this.callId = outgoingCallId('[call_id]', place);
    this.uri = `sip:${user}@${DOMAIN}`;
  }

  rejected(): readonly string[] {
    return [...this.invited(), '<recv response="486"/>', this.acknowledged(2)];
  }

  answered(): readonly string[] {
    return [
      ...this.invited(),
      `<recv response="200" rrs="true"><action>${KEEP_SDP}</action></recv>`,
      this.inDialog('ACK', 2),
      sending('sendCmd', [COMMAND, '', '[$sdp]']),
      '<recvCmd/>',
      this.inDialog('BYE', 3),
      '<recv response="200"/>',
    ];
  }

  /** Again with a password, which the proxy requests. */
  private invited(): readonly string[] {
    return [
      this.invite(1),
      '<recv response="407" auth="true"/>',
      this.acknowledged(1),
      this.invite(2, [`[authentication username=${USER} password=${PASSWORD}]`]),
      '<recv response="100" optional="true"/>',
      '<recv response="180" optional="true"/>',
    ];
  }

  private invite(cseq: number, credentials: readonly string[] = []): string {
    return sending('send', [
      `INVITE ${this.uri} SIP/2.0`,
      ...this.between(`<${this.uri}>`),
      `Call-ID: ${this.callId}`,
      `CSeq: ${cseq} INVITE`,
      'X-CID: [call_id]',
      CONTACT,
      ...credentials,
      ...SDP_OF_OTHER,
    ]);
  }

  /** The ACK of a failure belongs to the transaction of the INVITE. */
  private acknowledged(cseq: number): string {
    const repeated = last('Via', 'From', 'To', 'Call-ID');
    return sending('send', [
      `ACK ${this.uri} SIP/2.0`,
      ...repeated,
      `CSeq: ${cseq} ACK`,
      'Max-Forwards: 70',
      ...NO_BODY,
    ]);
  }

  private inDialog(method: string, cseq: number): string {
    return sending('send', [
      `${method} [next_url] SIP/2.0`,
      '[routes]',
      ...this.between(`<${this.uri}>[peer_tag_param]`),
      `Call-ID: ${this.callId}`,
      `CSeq: ${cseq} ${method}`,
      ...NO_BODY,
    ]);
  }

  private between(to: string): readonly string[] {
    return [
      `Via: SIP/2.0/UDP ${ADDRESS};branch=[branch]`,
      'Max-Forwards: 70',
      `From: <sip:${USER}@${DOMAIN}>;tag=[call_number]leg${this.place}`,
      `To: ${to}`,
    ];
  }
}

function last(...names: readonly string[]): readonly string[] {
  return names.map((name) => `[last_${name}:]`);
}
