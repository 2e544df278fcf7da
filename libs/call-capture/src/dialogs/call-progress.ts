import { withoutAbsent, type Extensions, type RecordEvent } from '@ringdown/xml-schemas';
import type { Side } from '../media/agreed-media.js';
import { addressOfRecord } from '../sip/name-address.js';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';
import { referTarget } from './transfer.js';

const ROLES: Readonly<Record<Side, string>> = { caller: 'Caller', callee: 'Callee' };

/**
 * What the schemas have no element for: how long it took to ring and rang, who ended the call, where it was redirected
 * or transferred to. Records have it as extensions of `ConnectionInfo` (docs/records.md), which readers ignore.
 */
export class CallProgress {
  private invitedAt: number | undefined;
  private ringingAt: number | undefined;
  private redirectedFrom: { readonly uri: string; readonly status: number } | undefined;
  private redirectedTo: string | undefined;
  private awaitsNextAddress = false;
  private transfer: { readonly to: string; readonly by: Side | undefined } | undefined;
  private endedBy: Side | undefined;

  /** An attempt that is repeated, with a password or at another address, began with its first INVITE. */
  invited(at: number): void {
    this.invitedAt ??= at;
    this.endedBy = undefined;
    this.awaitsNextAddress = false;
  }

  /** A provisional response other than 100, or the answer. */
  rang(at: number): void {
    this.ringingAt ??= at;
  }

  /** Whether a redirection was its last response. */
  get isRedirected(): boolean {
    return this.awaitsNextAddress;
  }

  redirected(message: SipMessage, from: string | undefined, status: number): void {
    this.awaitsNextAddress = true;
    this.redirectedTo = readAddresses(message.headers, 'contact')[0];
    this.redirectedFrom = from === undefined ? undefined : { uri: from, status };
  }

  /** Another response reached the caller: a redirection was for a proxy, or for one device of a forked call. */
  notRedirected(): void {
    this.awaitsNextAddress = false;
    this.redirectedFrom = this.redirectedTo = undefined;
  }

  /** A REFER: its sender wants the other side to call the address. */
  referred(message: SipMessage, by: Side | undefined): void {
    const to = referTarget(message);
    if (to !== undefined) this.transfer = { to: addressOfRecord(to), by };
  }

  ended(by: Side | undefined): void {
    this.endedBy = by;
  }

  /** For the record with these events, which happened at that time. */
  extensionsFor(events: readonly RecordEvent[], at: number): Extensions | undefined {
    const kinds = new Set(events.map(({ kind }) => kind));
    const extensions = withoutAbsent({
      ...(kinds.has('invite') || isRedirection(events) ? this.redirection() : {}),
      ...(kinds.has('start') || kinds.has('error') ? this.times(at) : {}),
      EndedBy: (kinds.has('error') || kinds.has('bye')) && this.endedBy ? ROLES[this.endedBy] : undefined,
      ...(kinds.has('bye') ? this.transfers() : {}),
    });
    return Object.keys(extensions).length === 0 ? undefined : extensions;
  }

  /** With the address: the repeated INVITE usually keeps the To of the first one (RFC 3261, 8.1.3.4). */
  private redirection(): Partial<Record<string, string>> {
    if (this.redirectedFrom === undefined) return {};
    const { uri, status } = this.redirectedFrom;
    this.redirectedFrom = undefined;
    return { RedirectedFrom: uri, 'RedirectedFrom@Code': status.toString(), RedirectedTo: this.redirectedTo };
  }

  /** Milliseconds. Only once: a later change of the media is not the start of the call. */
  private times(at: number): Partial<Record<string, string>> {
    const { invitedAt, ringingAt } = this;
    this.invitedAt = this.ringingAt = undefined;
    if (invitedAt === undefined || ringingAt === undefined) return {};
    return { PostDialDelay: millis(ringingAt - invitedAt), RingTime: millis(at - ringingAt) };
  }

  private transfers(): Partial<Record<string, string>> {
    const { to, by } = this.transfer ?? {};
    return { TransferredTo: to, TransferredBy: by && ROLES[by] };
  }
}

function millis(duration: number): string {
  return String(Math.max(0, Math.round(duration)));
}

function isRedirection(events: readonly RecordEvent[]): boolean {
  return events.some((event) => {
    const { code = 0 } = (event.kind === 'error' && event.responseCode) || {};
    return code >= 300 && code < 400;
  });
}
