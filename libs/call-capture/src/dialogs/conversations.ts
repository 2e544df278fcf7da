import { fitText } from '@ringdown/xml-schemas';
import { keptText } from '../collections/kept.js';
import { addressOfRecord } from '../sip/name-address.js';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';
import { legIdIn, type LegHeader } from './leg-headers.js';

/** A call that a REFER or a redirection asks for. */
interface ExpectedCall {
  readonly conversationId: string;
  /** The Call-ID of the call that was redirected; undefined if a REFER asks for the call. */
  readonly redirected?: string;
  /** Who should call, or is named in Referred-By. */
  readonly callers: readonly string[];
  readonly until: number;
}

/** The longest time until the call that a REFER or a redirection asks for. */
const EXPECTED_MS = 60_000;
const EXPECTED_LIMIT = 1_000;

/**
 * The conversation of each call: its own Call-ID, or that of the call that it belongs to, because one of its headers, a
 * transfer or a redirection joins them.
 */
export class Conversations {
  /** By the address that is to be called. Bounded: the oldest is dropped. */
  private readonly expected = new Map<string, ExpectedCall>();

  /** `known`: the conversation of a tracked call. */
  constructor(
    private readonly legHeaders: readonly LegHeader[],
    private readonly known: (callId: string) => string | undefined,
  ) {}

  of(first: SipMessage, now: number): string {
    const replaced = callIdIn(first.headers.first('replaces'));
    const ofReplaced = replaced === undefined ? undefined : this.known(replaced);
    const ofExpected = this.expectedFor(first, now)?.conversationId;
    return ofReplaced ?? ofExpected ?? this.ofHeaders(first) ?? replaced ?? first.callId;
  }

  /** The Call-ID of the redirected call that the caller goes on with as a new call. */
  redirectedCall(first: SipMessage, now: number): string | undefined {
    return this.expectedFor(first, now)?.redirected;
  }

  /**
   * Remembers which calls a REFER or a redirection asks for. Returns the Call-ID of a call that from now on belongs to
   * the conversation, too.
   */
  observe(message: SipMessage, conversationId: string, now: number): string | undefined {
    const { method, response, from, to, headers } = message;
    const expected = { conversationId, until: now + EXPECTED_MS };
    if (method === 'REFER' && !response) {
      const [target] = readAddresses(headers, 'refer-to');
      if (target === undefined) return undefined;
      this.expect(target, { ...expected, callers: [from.uri, to.uri].map(addressOfRecord) });
      return replacedBy(target);
    }
    if (method === 'INVITE' && response && response.status >= 300 && response.status < 400) {
      const targets = readAddresses(headers, 'contact');
      const redirection = { ...expected, redirected: keptText(message.callId), callers: [addressOfRecord(from.uri)] };
      for (const target of targets) this.expect(target, redirection);
    }
    return undefined;
  }

  private ofHeaders({ headers }: SipMessage): string | undefined {
    for (const each of this.legHeaders) {
      const id = legIdIn(headers, each);
      if (id !== undefined) return this.known(id) ?? id;
    }
    return undefined;
  }

  private expect(target: string, call: ExpectedCall): void {
    const key = addressOfRecord(target);
    this.expected.delete(key);
    this.expected.set(key, call);
    const [oldest] = this.expected.keys();
    if (this.expected.size > EXPECTED_LIMIT && oldest !== undefined) this.expected.delete(oldest);
  }

  /** To may still name who was called first: the Request-URI is who is called now (RFC 3261, 8.1.3.4). */
  private expectedFor({ from, to, target = to.uri, headers }: SipMessage, now: number): ExpectedCall | undefined {
    if (this.expected.size === 0) return undefined;
    const named = [from.uri, ...readAddresses(headers, 'referred-by')].map(addressOfRecord);
    return [target, to.uri]
      .map((uri) => this.expected.get(addressOfRecord(uri)))
      .find((call) => call !== undefined && call.until >= now && named.some((uri) => call.callers.includes(uri)));
  }
}

/** `…?Replaces=call-2%3Bto-tag%3D7…`: the call that an attended transfer replaces (RFC 3515, RFC 3891). */
function replacedBy(target: string): string | undefined {
  const headers = target.split('?', 2)[1]?.split('&', 16) ?? [];
  const written = headers.find((each) => /^replaces=/i.test(each))?.slice('replaces='.length);
  try {
    return written === undefined ? undefined : callIdIn(decodeURIComponent(written));
  } catch {
    // Percent signs that encode nothing: it names no call.
    return undefined;
  }
}

function callIdIn(replaces: string | undefined): string | undefined {
  const callId = fitText(replaces?.split(';', 1)[0]?.trim() ?? '', 'identifier');
  return callId === '' ? undefined : callId;
}
