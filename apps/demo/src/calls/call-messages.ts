import type { TracedMessage } from '@ringdown/contracts/traces';
import {
  sideAddress,
  signalingIp,
  type CallPlan,
  type EndedBy,
  type Failed,
  type Side,
  type Talk,
} from './call-plan.js';
import { sideMediaEnd } from './endpoints.js';
import { sdpText, sipText, type Description } from './sip-text.js';

const SIP_PORT = 5_060;
/** Through the network, and through the front end, milliseconds. */
const [TRANSIT_MS, PROCESSING_MS] = [6, 9];
/** RFC 3261, timer A: when an invitation without an answer is sent again. */
const RETRANSMISSIONS_MS = [500, 1_500, 3_500, 7_500, 15_500];

/** The SIP messages of a planned call between caller, front end and callee, as TRACE=on sends them. */
export function plannedMessages(plan: CallPlan): readonly TracedMessage[] {
  return plan.isDetailed ? new CallMessages(plan).all().sort((a, b) => a.at - b.at) : [];
}

interface Transaction {
  readonly at: number;
  readonly method: string;
  readonly by: EndedBy;
  readonly cseq: number;
  readonly direction?: Description['direction'];
  readonly headers?: Readonly<Record<string, string>>;
}

class CallMessages {
  private readonly messages: TracedMessage[] = [];
  private version = 0;

  constructor(private readonly plan: CallPlan) {}

  all(): TracedMessage[] {
    const { outcome, hold } = this.plan;
    if (outcome.kind === 'failed') this.failed(outcome);
    else {
      this.established(outcome);
      if (hold !== undefined && hold.from < outcome.endedAt) {
        this.confirmed({ at: hold.from, method: 'INVITE', by: 'Callee', cseq: 101, direction: 'sendonly' });
        if (hold.to < outcome.endedAt)
          this.confirmed({ at: hold.to, method: 'INVITE', by: 'Callee', cseq: 102, direction: 'sendrecv' });
      }
      if (outcome.transfer) this.refer(outcome.transfer.to, outcome.transfer.by, outcome.endedAt);
      this.confirmed({
        at: outcome.endedAt - PROCESSING_MS - TRANSIT_MS,
        method: 'BYE',
        by: outcome.endedBy,
        cseq: 110,
      });
    }
    return this.messages;
  }

  private established({ ringingAt, answeredAt }: Talk): void {
    this.invite();
    this.answer(ringingAt, '180 Ringing', 'Callee', '1 INVITE');
    this.answer(answeredAt - TRANSIT_MS, '200 OK', 'Callee', '1 INVITE', 'sendrecv');
    this.request({ at: answeredAt + TRANSIT_MS, method: 'ACK', by: 'Caller', cseq: 1 });
  }

  private failed({ ringingAt, endedAt, failure }: Failed): void {
    const { code, phrase, diagnostics } = failure;
    const headers = { Reason: `SIP;cause=${code};text="${phrase}"`, 'X-Diagnostics': diagnostics };
    const isOfFrontEnd = code === 404 || code === 408;
    const invitation = this.invite(code !== 404);
    if (code === 408) {
      for (const after of RETRANSMISSIONS_MS) this.hop(this.plan.invitedAt + after, 'toCallee', invitation);
    }
    if (ringingAt !== undefined) this.answer(ringingAt, '180 Ringing', 'Callee', '1 INVITE');
    if (code === 487) this.confirmed({ at: endedAt - 40, method: 'CANCEL', by: 'Caller', cseq: 1 });
    const line = `${code} ${phrase}`;
    if (isOfFrontEnd) this.hop(endedAt, 'toCaller', this.response(line, '1 INVITE', headers));
    else this.answer(endedAt - TRANSIT_MS, line, 'Callee', '1 INVITE', undefined, headers);
    this.hop(
      endedAt + PROCESSING_MS,
      'fromCaller',
      this.requestText({ at: endedAt, method: 'ACK', by: 'Caller', cseq: 1 }),
    );
  }

  private invite(reachesCallee = true): string {
    const { invitedAt } = this.plan;
    const text = this.inviteText();
    this.hop(invitedAt, 'fromCaller', text);
    this.hop(invitedAt + TRANSIT_MS, 'toCaller', this.response('100 Trying', '1 INVITE'));
    if (reachesCallee) this.hop(invitedAt + PROCESSING_MS, 'toCallee', text);
    return text;
  }

  private inviteText(): string {
    const { referredBy, replaces } = this.plan;
    const headers = {
      ...(referredBy === undefined ? {} : { 'Referred-By': referredBy }),
      ...(replaces === undefined ? {} : { Replaces: replaces }),
    };
    const { invitedAt } = this.plan;
    return this.requestText({ at: invitedAt, method: 'INVITE', by: 'Caller', cseq: 1, direction: 'sendrecv', headers });
  }

  /** The transfer of RFC 3515: the transferor learns by NOTIFY that the new call was answered. */
  private refer(target: string, by: EndedBy, endedAt: number): void {
    const other = by === 'Caller' ? 'Callee' : 'Caller';
    const referAt = endedAt - 1_400;
    this.request({
      at: referAt,
      method: 'REFER',
      by,
      cseq: 105,
      headers: { 'Refer-To': `<${target}>`, Event: 'refer' },
    });
    this.answer(referAt + 30, '202 Accepted', other, '105 REFER');
    for (const [index, state] of ['active;expires=60', 'terminated;reason=noresource'].entries()) {
      const at = referAt + 120 + index * 1_000;
      const cseq = 50 + index;
      this.request({ at, method: 'NOTIFY', by: other, cseq, headers: { Event: 'refer', 'Subscription-State': state } });
      this.answer(at + 30, '200 OK', by, `${cseq} NOTIFY`);
    }
  }

  /** A request and its 200; an invitation also has the acknowledgement. */
  private confirmed(transaction: Transaction): void {
    const { at, method, by, cseq, direction } = transaction;
    const other = by === 'Caller' ? 'Callee' : 'Caller';
    const answered = direction === 'sendonly' ? 'recvonly' : direction;
    this.request(transaction);
    this.answer(at + 32, '200 OK', other, `${cseq} ${method}`, answered);
    if (method === 'INVITE') this.request({ at: at + 60, method: 'ACK', by, cseq });
  }

  private request(transaction: Transaction): void {
    this.bothHops(transaction.at, transaction.by, this.requestText(transaction));
  }

  private answer(
    at: number,
    line: string,
    by: EndedBy,
    cseq: string,
    direction?: Description['direction'],
    headers?: Readonly<Record<string, string>>,
  ): void {
    const body = direction === undefined ? undefined : this.description(by, direction);
    this.bothHops(at, by, this.response(line, cseq, headers, body));
  }

  private bothHops(at: number, by: EndedBy, text: string): void {
    this.hop(at, by === 'Caller' ? 'fromCaller' : 'fromCallee', text);
    this.hop(at + PROCESSING_MS, by === 'Caller' ? 'toCallee' : 'toCaller', text);
  }

  private requestText({ method, by, cseq, direction, headers }: Transaction): string {
    const { caller, callee } = this.plan;
    const [from, to] = by === 'Caller' ? [caller, callee] : [callee, caller];
    const isFirst = method === 'INVITE' && cseq === 1;
    const body = direction === undefined ? undefined : this.description(by, direction);
    const line = `${method} sip:${sideAddress(to)} SIP/2.0`;
    const own = { 'Max-Forwards': '70', 'User-Agent': sideMediaEnd(from, false).userAgent, ...headers };
    return sipText({ line, headers: { ...this.dialog(from, to, `${cseq} ${method}`, isFirst), ...own }, body });
  }

  private response(line: string, cseq: string, headers: Readonly<Record<string, string>> = {}, body?: string): string {
    const { caller, callee, frontEnd } = this.plan;
    const dialog = this.dialog(caller, callee, cseq, line.startsWith('100'));
    return sipText({ line: `SIP/2.0 ${line}`, headers: { ...dialog, Server: frontEnd.name, ...headers }, body });
  }

  private dialog(from: Side, to: Side, cseq: string, isFirst: boolean): Readonly<Record<string, string>> {
    const { callId, frontEnd, seed } = this.plan;
    return {
      Via: `SIP/2.0/UDP ${signalingIp(from)}:${SIP_PORT};branch=z9hG4bK${seed.toString(16)}${cseq.replace(' ', '')}`,
      'Record-Route': `<sip:${frontEnd.ip};lr>`,
      From: `<sip:${sideAddress(from)}>;tag=${from.tag}`,
      To: `<sip:${sideAddress(to)}>${isFirst ? '' : `;tag=${to.tag}`}`,
      'Call-ID': callId,
      CSeq: cseq,
      Contact: `<sip:${signalingIp(from)}:${SIP_PORT}>`,
    };
  }

  private description(by: EndedBy, direction: Description['direction']): string {
    const { caller, callee, codec, hasVideo } = this.plan;
    const side = by === 'Caller' ? caller : callee;
    const ip = sideMediaEnd(side, false).ip ?? signalingIp(side);
    return sdpText({ ip, port: side.port, codec, hasVideo, direction, version: ++this.version });
  }

  private hop(at: number, way: 'fromCaller' | 'toCaller' | 'fromCallee' | 'toCallee', text: string): void {
    const { caller, callee, frontEnd, callId } = this.plan;
    const end = { ip: signalingIp(way.endsWith('Caller') ? caller : callee), port: SIP_PORT };
    const middle = { ip: frontEnd.ip, port: SIP_PORT };
    const [source, destination] = way.startsWith('from') ? [end, middle] : [middle, end];
    const payload = Buffer.from(text).toString('base64');
    this.messages.push({ callId, at: at * 1_000, source, destination, content: 'sip', point: '', payload });
  }
}
