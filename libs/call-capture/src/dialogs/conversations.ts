import { keptText } from '../collections/kept.js';
import { addressOfRecord } from '../sip/name-address.js';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';
import type { Call } from './call.js';
import { readDialogReference, replacedBy, type DialogReference } from './dialog-reference.js';
import { EXPECTED_MS, ExpectedCalls, type ExpectedCall } from './expected-calls.js';
import { legIdIn, type LegHeader } from './leg-headers.js';
import { referTarget } from './transfer.js';

interface KnownCall {
  readonly conversationId: string;
  readonly call: Pick<Call, 'isRedirected' | 'hasDialog'>;
}

/** The conversation of a new call. */
interface Membership {
  readonly conversationId: string;
  /** The Call-ID of the redirected call that the caller goes on with as this one. */
  readonly redirected: string | undefined;
}

/**
 * The conversation of each call: its own Call-ID, or that of the call that it belongs to, because one of its headers, a
 * transfer or a redirection joins them.
 */
export class Conversations {
  private readonly expected = new ExpectedCalls();

  /** `known`: a tracked call. */
  constructor(
    private readonly legHeaders: readonly LegHeader[],
    private readonly known: (callId: string) => KnownCall | undefined,
  ) {}

  of(first: SipMessage, now: number): Membership {
    const replaced = readDialogReference(first.headers.first('replaces') ?? first.headers.first('join'));
    const known = replaced && this.known(replaced.callId);
    const ofReplaced = replaced && known?.call.hasDialog(replaced.tags) ? known.conversationId : undefined;
    const expected = this.expectedFor(first, now);
    // A call that is not tracked can be named only by its id.
    const untracked = known ? undefined : replaced?.callId;
    const conversationId = ofReplaced ?? expected?.conversationId ?? this.ofHeaders(first) ?? untracked ?? first.callId;
    return { conversationId, redirected: expected?.redirected };
  }

  /**
   * Remembers which calls a REFER or a redirection asks for. Returns the dialog that from now on belongs to the
   * conversation, too.
   */
  observe(message: SipMessage, conversationId: string, now: number): DialogReference | undefined {
    if (message.method === 'REFER' && !message.response) return this.onRefer(message, conversationId, now);
    const { status = 0 } = message.response ?? {};
    if (message.method === 'INVITE' && status >= 300 && status < 400) this.onRedirection(message, conversationId, now);
    return undefined;
  }

  /** The response to a REFER, which may be outside of a call. */
  onReferResponse(message: SipMessage): void {
    if ((message.response?.status ?? 0) >= 300) this.expected.removeRefer(referKey(message));
  }

  private onRefer(message: SipMessage, conversationId: string, now: number): DialogReference | undefined {
    const target = referTarget(message);
    if (target === undefined) return undefined;
    const named = [message.from.uri, ...readAddresses(message.headers, 'referred-by')];
    const call = {
      conversationId,
      refer: keptText(referKey(message)),
      target: keptText(addressOfRecord(target)),
      caller: keptText(addressOfRecord(message.to.uri)),
      referrers: named.map((uri) => keptText(addressOfRecord(uri))),
      until: now + EXPECTED_MS,
    };
    this.expected.add(call, now);
    return replacedBy(target);
  }

  private onRedirection({ callId, from, headers }: SipMessage, conversationId: string, now: number): void {
    const redirected = keptText(callId);
    const caller = keptText(addressOfRecord(from.uri));
    for (const contact of readAddresses(headers, 'contact')) {
      const target = keptText(addressOfRecord(contact));
      this.expected.add({ conversationId, redirected, target, caller, referrers: [], until: now + EXPECTED_MS }, now);
    }
  }

  private ofHeaders({ headers }: SipMessage): string | undefined {
    for (const each of this.legHeaders) {
      const id = legIdIn(headers, each);
      if (id !== undefined) return this.known(id)?.conversationId ?? id;
    }
    return undefined;
  }

  /** To may still name who was called first: the Request-URI is who is called now (RFC 3261, 8.1.3.4). */
  private expectedFor({ from, to, target = to.uri, headers }: SipMessage, now: number): ExpectedCall | undefined {
    if (this.expected.isEmpty) return undefined;
    const invite = {
      targets: [target, to.uri].map(addressOfRecord),
      caller: addressOfRecord(from.uri),
      referredBy: readAddresses(headers, 'referred-by').map(addressOfRecord),
    };
    return this.expected.find(invite, now, (call) => this.isOpen(call));
  }

  /** A redirected call may have gone on otherwise: its proxy, or the caller itself, has followed the redirection. */
  private isOpen({ redirected }: ExpectedCall): boolean {
    return redirected === undefined || this.known(redirected)?.call.isRedirected !== false;
  }
}

function referKey({ callId, cseq, from }: SipMessage): string {
  return `${callId} ${cseq} ${from.tag}`;
}
