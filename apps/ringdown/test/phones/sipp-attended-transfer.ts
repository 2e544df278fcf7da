import { DOMAIN, PASSWORD } from './kamailio-config.js';
import { CORE, type PhonePlace } from './phone-network.js';
import { sending, startSipp } from './sipp.js';

export const TRANSFER_PORT = 5_070;
export const MEDIA_PORT = 6_000;

/** The user of each phone. */
export const TRANSFEREE = 'lena';
export const TRANSFEROR = 'mara';
export const TARGET = 'nils';

/** The Call-IDs: of the call that is transferred, of the consultation, and of the call that replaces both. */
export const TRANSFERRED = 'attended-transfer-1';
export const CONSULTATION = `asked///${TRANSFERRED}`;
export const REPLACING = `replacing///${TRANSFERRED}`;

/** Of each dialog: its Call-ID, and the users of its two sides with their tags. sipp finds its call by what follows the slashes. */
interface Dialog {
  readonly callId: string;
  readonly caller: string;
  readonly callee: string;
}

const FIRST: Dialog = { callId: TRANSFERRED, caller: TRANSFEREE, callee: TRANSFEROR };
const SECOND: Dialog = { callId: CONSULTATION, caller: TRANSFEROR, callee: TARGET };
const THIRD: Dialog = { callId: REPLACING, caller: TRANSFEREE, callee: TARGET };
const REPLACES = `${CONSULTATION};to-tag=${tagOf(SECOND, TARGET)};from-tag=${tagOf(SECOND, TRANSFEROR)}`;

const NO_BODY = ['Content-Length: 0', ''];
const SDP = [
  'Content-Type: application/sdp',
  'Content-Length: [len]',
  '',
  'v=0',
  'o=- 1 1 IN IP4 [local_ip]',
  's=-',
  'c=IN IP4 [local_ip]',
  't=0 0',
  'm=audio [media_port] RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
];

export interface TransferPlaces {
  readonly transferee: PhonePlace;
  readonly transferor: PhonePlace;
  readonly target: PhonePlace;
}

/**
 * An attended transfer (RFC 5589, 7): the transferee calls the transferor, who calls the target, and refers the transferee to
 * replace that call. baresip 1.0 can do none of it. The transferee ends the new call after some seconds.
 */
export async function startAttendedTransfer(places: TransferPlaces, folder: string): Promise<void> {
  const steps = new TransferSteps(places);
  const phone = async (
    name: string,
    place: PhonePlace,
    own: readonly string[],
    options: readonly string[] = [],
  ): Promise<void> => {
    const scenario = { name, port: TRANSFER_PORT, steps: own };
    await startSipp(place, folder, scenario, { options: ['-mp', `${MEDIA_PORT}`, ...options] });
  };
  await phone('target', places.target, steps.target());
  await phone('transferor', places.transferor, steps.transferor());
  const once = [`${CORE}:5060`, '-m', '1', '-cid_str', TRANSFERRED.replace(/1$/, '%u')];
  await phone('transferee', places.transferee, steps.transferee(), once);
}

class TransferSteps {
  private readonly addresses: Readonly<Record<string, string>>;

  constructor({ transferee, transferor, target }: TransferPlaces) {
    this.addresses = {
      [TRANSFEREE]: transferee.address,
      [TRANSFEROR]: transferor.address,
      [TARGET]: target.address,
    };
  }

  transferee(): readonly string[] {
    return [
      ...this.invite(FIRST),
      '<recv request="REFER"/>',
      this.respond('202 Accepted', FIRST.caller),
      ...this.invite(THIRD, [`Replaces: ${REPLACES}`, `Referred-By: <${transferUserUri(TRANSFEROR)}>`]),
      this.request(FIRST, TRANSFEREE, 'NOTIFY', 3, [
        'Event: refer',
        'Subscription-State: terminated;reason=noresource',
        'Content-Type: message/sipfrag',
        'Content-Length: [len]',
        '',
        'SIP/2.0 200 OK',
      ]),
      '<recv response="200"/>',
      '<recv request="BYE"/>',
      this.respond('200 OK', FIRST.caller),
      '<pause milliseconds="3000"/>',
      this.request(THIRD, TRANSFEREE, 'BYE', 3),
      '<recv response="200"/>',
    ];
  }

  transferor(): readonly string[] {
    const refer = `<${transferUserUri(TARGET)}?Replaces=${encodeURIComponent(REPLACES)}>`;
    const notified = ['<recv request="NOTIFY"/>', this.respond('200 OK', TRANSFEROR)];
    const replaced = [this.respond('200 OK', TRANSFEROR)];
    return [
      ...this.answer(FIRST),
      '<pause milliseconds="1000"/>',
      ...this.invite(SECOND),
      '<pause milliseconds="1000"/>',
      this.request(FIRST, TRANSFEROR, 'REFER', 1, [
        `Refer-To: ${refer}`,
        `Referred-By: <${transferUserUri(TRANSFEROR)}>`,
        ...NO_BODY,
      ]),
      '<recv response="202"/>',
      // The target ends the consultation before or after the transferee has notified.
      '<recv request="BYE" optional="true" next="1"/>',
      ...notified,
      '<recv request="BYE"/>',
      ...replaced,
      '<nop next="2"/>',
      '<label id="1"/>',
      ...replaced,
      ...notified,
      '<label id="2"/>',
      this.request(FIRST, TRANSFEROR, 'BYE', 2),
      '<recv response="200"/>',
    ];
  }

  target(): readonly string[] {
    return [
      ...this.answer(SECOND),
      ...this.answer(THIRD),
      this.request(SECOND, TARGET, 'BYE', 1),
      '<recv response="200"/>',
      '<recv request="BYE"/>',
      this.respond('200 OK', TARGET),
    ];
  }

  /** Again with a password, which the proxy requests. */
  private invite(dialog: Dialog, headers: readonly string[] = []): readonly string[] {
    const { caller, callee } = dialog;
    const invite = (cseq: number, credentials: readonly string[]): string =>
      sending('send', [
        `INVITE ${transferUserUri(callee)} SIP/2.0`,
        ...this.head(dialog, caller, `CSeq: ${cseq} INVITE`, `<${transferUserUri(callee)}>`),
        ...headers,
        ...credentials,
        ...SDP,
      ]);
    const repeated = ['Via', 'From', 'To', 'Call-ID'].map((name) => `[last_${name}:]`);
    return [
      invite(1, []),
      '<recv response="407" auth="true"/>',
      sending('send', [
        `ACK ${transferUserUri(callee)} SIP/2.0`,
        ...repeated,
        'CSeq: 1 ACK',
        'Max-Forwards: 70',
        ...NO_BODY,
      ]),
      invite(2, [`[authentication username=${caller} password=${PASSWORD}]`]),
      '<recv response="100" optional="true"/>',
      '<recv response="180" optional="true"/>',
      '<recv response="200"/>',
      this.request(dialog, caller, 'ACK', 2),
    ];
  }

  private answer({ callId, caller, callee }: Dialog): readonly string[] {
    const tag = `;tag=${tagOf({ callId, caller, callee }, callee)}`;
    return [
      '<recv request="INVITE"/>',
      this.respond('180 Ringing', callee, tag),
      this.respond('200 OK', callee, tag, SDP),
      '<recv request="ACK"/>',
    ];
  }

  private respond(status: string, user: string, tag = '', content = NO_BODY): string {
    const echoed = ['Via', 'Record-Route', 'From', 'To', 'Call-ID', 'CSeq'].map(
      (name) => `[last_${name}:]${name === 'To' ? tag : ''}`,
    );
    return sending('send', [`SIP/2.0 ${status}`, ...echoed, this.contactOf(user), ...content]);
  }

  /** Within a dialog. */
  private request(
    dialog: Dialog,
    sender: string,
    method: string,
    cseq: number,
    content: readonly string[] = NO_BODY,
  ): string {
    const receiver = sender === dialog.caller ? dialog.callee : dialog.caller;
    return sending('send', [
      `${method} sip:${receiver}@${this.addresses[receiver]}:${TRANSFER_PORT} SIP/2.0`,
      `Route: <sip:${CORE};lr>`,
      ...this.head(
        dialog,
        sender,
        `CSeq: ${cseq} ${method}`,
        `<${transferUserUri(receiver)}>;tag=${tagOf(dialog, receiver)}`,
      ),
      ...content,
    ]);
  }

  private head(dialog: Dialog, sender: string, cseq: string, to: string): readonly string[] {
    return [
      'Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]',
      'Max-Forwards: 70',
      `From: <${transferUserUri(sender)}>;tag=${tagOf(dialog, sender)}`,
      `To: ${to}`,
      `Call-ID: ${dialog.callId}`,
      cseq,
      this.contactOf(sender),
    ];
  }

  private contactOf(user: string): string {
    return `Contact: <sip:${user}@${this.addresses[user]}:${TRANSFER_PORT}>`;
  }
}

export function transferUserUri(user: string): string {
  return `sip:${user}@${DOMAIN}`;
}

function tagOf({ callId }: Dialog, user: string): string {
  return `${user}-${callId.split('/', 1)[0]}`;
}
