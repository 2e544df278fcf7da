import type { SipMessage } from '../sip/sip-message.js';
import { credentialsIn, isChallenge, type Credentials } from './digest-challenge.js';
import { asksForTerms, termsIn, type Terms } from './registration-terms.js';

/** A request that failed. */
export interface RequestFailure {
  readonly method: string;
  /** Of the response; `none` if there was none in time. */
  readonly status: string;
  /** IP address; `other` beyond the limit of peers. */
  readonly peer: string;
}

/** Where a packet came from and went to. */
export interface Hop {
  readonly source: { readonly ip: string };
  readonly destination: { readonly ip: string };
}

interface OpenRequest {
  readonly method: string;
  readonly peer: string;
  readonly credentials: Credentials;
  readonly terms: Terms;
  readonly at: number;
}

const METHODS: ReadonlySet<string> = new Set(['REGISTER', 'OPTIONS', 'MESSAGE', 'SUBSCRIBE']);
const OPEN_LIMIT = 20_000;
/** A request without a response is given up after this time (RFC 3261, timer F). */
const NO_RESPONSE_MS = 32_000;
const BRANCH_LIMIT = 256;
/** Agents deliver the messages of one moment in any order (sipcapture/heplify#342). */
const EARLY_MS = 500;
const EARLY_LIMIT = 200;
const PEER_LIMIT = 100;
const KIND_LIMIT = 1_000;

/**
 * Finds the requests outside of calls that fail: registrations, pings, messages and subscriptions. The peer of a ping is
 * the pinged system, that of other requests the system that sent them. Each hop counts. Bounded, whatever is sent.
 */
export class RequestFailures {
  private readonly open = new Map<string, OpenRequest>();
  /** Final responses that were captured before their requests. */
  private readonly early = new Map<string, { readonly message: SipMessage; readonly at: number }>();
  private readonly peers = new Set<string>();
  private readonly kinds = new Set<string>();
  private registered = 0;

  constructor(private readonly onFailure: (failure: RequestFailure) => void) {}

  /** Registrations that were accepted; each hop counts. */
  get succeededRegistrations(): number {
    return this.registered;
  }

  onMessage(message: SipMessage, hop: Hop, now: number): void {
    if (!METHODS.has(message.method)) return;
    const key = requestKey(message);
    if (key === undefined) return;
    if (!message.response) this.onRequest(key, message, hop, now);
    else if (message.response.status >= 200) this.onFinal(key, message, now);
  }

  /** Call it about each second, with the clock of the messages. */
  sweep(now: number): void {
    for (const [key, { at }] of this.early) if (now - at >= EARLY_MS) this.early.delete(key);
    for (const [key, { at }] of this.open) {
      if (now - at < NO_RESPONSE_MS) return;
      this.close(key, 'none');
    }
  }

  private onRequest(key: string, { method, headers }: SipMessage, { source, destination }: Hop, now: number): void {
    if (this.open.has(key)) return;
    const peer = method === 'OPTIONS' ? destination.ip : source.ip;
    this.open.set(key, { method, peer, credentials: credentialsIn(headers), terms: termsIn(headers), at: now });
    const [oldest] = this.open.keys();
    if (this.open.size > OPEN_LIMIT && oldest !== undefined) this.open.delete(oldest);
    const early = this.early.get(key);
    this.early.delete(key);
    if (early && now - early.at < EARLY_MS) this.onFinal(key, early.message, now);
  }

  private onFinal(key: string, message: SipMessage, now: number): void {
    const request = this.open.get(key);
    if (!request) {
      if (this.early.size < EARLY_LIMIT) this.early.set(key, { message, at: now });
      return;
    }
    const { credentials, terms } = request;
    const { status = 0 } = message.response ?? {};
    // The client goes on with another request.
    const isHandshake = isChallenge(message, credentials) || asksForTerms(message, terms);
    if (status < 300 && request.method === 'REGISTER') this.registered++;
    if (status < 400 || isHandshake) this.open.delete(key);
    else this.close(key, String(status));
  }

  private close(key: string, status: string): void {
    const request = this.open.get(key);
    if (!request) return;
    this.open.delete(key);
    this.onFailure(this.bounded({ method: request.method, status, peer: request.peer }));
  }

  private bounded({ method, status, peer }: RequestFailure): RequestFailure {
    if (this.peers.size < PEER_LIMIT) this.peers.add(peer);
    const shown = { method, status, peer: this.peers.has(peer) ? peer : 'other' };
    const kind = Object.values(shown).join(' ');
    if (this.kinds.size < KIND_LIMIT) this.kinds.add(kind);
    return this.kinds.has(kind) ? shown : { method, status: 'other', peer: 'other' };
  }
}

/** A copy: a part of a text would keep the whole message in memory. Undefined if no real system writes such a branch. */
function requestKey({ method, callId, cseq, branch }: SipMessage): string | undefined {
  if (branch.length > BRANCH_LIMIT) return undefined;
  return Buffer.from(`${method} ${callId} ${cseq} ${branch}`).toString();
}
