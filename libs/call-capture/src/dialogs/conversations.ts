import { fitText } from '@ringdown/xml-schemas';
import { addressOfRecord } from '../sip/name-address.js';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';
import { legIdIn, type LegHeader } from './leg-headers.js';

/** A call that a REFER or a redirection asks for. */
interface ExpectedCall {
  readonly conversationId: string;
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
    return ofReplaced ?? this.expectedFor(first, now) ?? this.ofHeaders(first) ?? replaced ?? first.callId;
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
      for (const target of targets) this.expect(target, { ...expected, callers: [addressOfRecord(from.uri)] });
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

  private expectedFor({ from, to, headers }: SipMessage, now: number): string | undefined {
    const expected = this.expected.get(addressOfRecord(to.uri));
    if (!expected || expected.until < now) return undefined;
    const named = [from.uri, ...readAddresses(headers, 'referred-by')].map(addressOfRecord);
    return named.some((uri) => expected.callers.includes(uri)) ? expected.conversationId : undefined;
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
