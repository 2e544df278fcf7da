import { addressOfRecord } from '../sip/name-address.js';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';

const NONE: readonly string[] = [];
/** Call Is Being Forwarded. */
export const FORWARDED = 181;

/** Where a call was redirected to, by a 3xx that its caller or a proxy follows, or by a proxy that forwards it. */
export class Redirection {
  private from: string | undefined;
  /** Undefined if a proxy forwards it without a response. */
  private status: number | undefined;
  /** The addresses of the last 3xx; the first is the one that counts, until a proxy calls another one. */
  private contacts = NONE;
  private to: string | undefined;
  private isPending = false;
  private isFollowedByProxy = false;
  private isForwarded = false;
  private forwardedTo: string | undefined;

  /** Whether a 3xx was the last response, and nothing has become of it so far. */
  get awaitsNextAddress(): boolean {
    return this.isPending;
  }

  /** A 3xx, at any hop. */
  redirected({ headers }: SipMessage, from: string | undefined, status: number): void {
    const contacts = readAddresses(headers, 'contact');
    // The proxy calls one of them already: a copy.
    if (this.isFollowedByProxy && contacts.includes(this.to ?? '')) return;
    this.contacts = contacts;
    [this.to] = this.contacts;
    this.from = from;
    this.status = status;
    this.isPending = true;
    this.isFollowedByProxy = this.isForwarded = false;
  }

  /** The callee is called elsewhere. `status`: 181, if the caller was informed. */
  forwarded(from: string | undefined, status?: number): void {
    if (this.isFollowedByProxy) return;
    this.from = from;
    this.status = status ?? (this.isForwarded ? this.status : undefined);
    this.isForwarded = true;
  }

  /** The caller goes on with another call, to the target. */
  continuedAs(target: string): void {
    this.to = this.contactOf(target) ?? this.to;
  }

  /** A new INVITE of the caller. */
  invited(): void {
    this.isPending = this.isFollowedByProxy = this.isForwarded = false;
    this.forwardedTo = undefined;
  }

  /** The INVITE at a later hop, where its Request-URI is who the proxy calls. */
  copied({ target, headers }: SipMessage, callee = ''): void {
    if (target === undefined) return;
    const contact = this.isPending ? this.contactOf(target) : undefined;
    if (contact !== undefined) {
      this.to = contact;
      this.isPending = false;
      this.isFollowedByProxy = true;
      return;
    }
    const called = addressOfRecord(target);
    if (userOf(called) === userOf(callee)) return;
    this.forwardedTo = called;
    const diverted = readAddresses(headers, 'diversion').map((each) => userOf(addressOfRecord(each)));
    if (diverted.includes(userOf(callee))) this.forwarded(callee);
  }

  /** A final response other than 3xx reached the caller: only what a proxy has followed counts. */
  answered(): void {
    this.isPending = false;
    if (this.isForwarded) this.to = this.forwardedTo;
    else if (!this.isFollowedByProxy) this.to = undefined;
    if (this.to === undefined) this.from = undefined;
  }

  /**
   * For one record. With the address: the repeated INVITE usually keeps the To of the first one (RFC 3261, 8.1.3.4).
   */
  report(): Partial<Record<string, string>> {
    const { from, to, status } = this;
    if (from === undefined) return {};
    this.from = undefined;
    return { RedirectedFrom: from, 'RedirectedFrom@Code': status?.toString(), RedirectedTo: to };
  }

  /** As written. */
  private contactOf(target: string): string | undefined {
    const called = addressOfRecord(target);
    return this.contacts.find((each) => addressOfRecord(each) === called);
  }
}

function userOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}
