import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Extensions, RecordEvent } from '@ringdown/xml-schemas/record';
import type { Side } from '../media/agreed-media.js';
import { addressOfRecord } from '../sip/name-address.js';
import type { SipMessage } from '../sip/sip-message.js';
import { Redirection } from './redirection.js';
import { referTarget } from './transfer.js';

const ROLES: Readonly<Record<Side, string>> = { caller: 'Caller', callee: 'Callee' };

/**
 * What the schemas have no element for: how long it took to ring and rang, who ended the call, where it was redirected
 * or transferred to. Records have it as extensions of `ConnectionInfo` (docs/records.md), which readers ignore.
 */
export class CallProgress {
  readonly redirection = new Redirection();
  private invitedAt: number | undefined;
  private ringingAt: number | undefined;
  private transfer: { readonly to: string; readonly by: Side | undefined } | undefined;
  private endedBy: Side | undefined;
  /** What was not captured as such, but follows from other messages. */
  private assumed: 'Invite' | 'Start' | 'Bye' | undefined;

  /** An attempt that is repeated, with a password or at another address, began with its first INVITE. Undefined: it was not captured. */
  invited(at: number | undefined): void {
    this.invitedAt ??= at;
    this.endedBy = undefined;
    this.redirection.invited();
  }

  /** A provisional response other than 100, or the answer. */
  rang(at: number): void {
    this.ringingAt ??= at;
  }

  /** A REFER: its sender wants the other side to call the address. */
  referred(message: SipMessage, by: Side | undefined): void {
    const to = referTarget(message);
    if (to !== undefined) this.transfer = { to: addressOfRecord(to), by };
  }

  /** The REFER was rejected. */
  notReferred(): void {
    this.transfer = undefined;
  }

  /** For the next record. */
  assume(what: 'Invite' | 'Start' | 'Bye'): void {
    this.assumed = what;
  }

  ended(by: Side | undefined): void {
    this.endedBy = by;
  }

  /** For the record with these events, which happened at that time. */
  extensionsFor(events: readonly RecordEvent[], at: number): Extensions | undefined {
    const kinds = new Set(events.map(({ kind }) => kind));
    const isResult = kinds.has('start') || kinds.has('error');
    const { assumed } = this;
    this.assumed = undefined;
    const extensions = withoutAbsent({
      ...(kinds.has('invite') || isResult ? this.redirection.report() : {}),
      ...(isResult ? this.times(at) : {}),
      Assumed: assumed,
      EndedBy: (kinds.has('error') || kinds.has('bye')) && this.endedBy ? ROLES[this.endedBy] : undefined,
      ...(kinds.has('bye') ? this.transfers() : {}),
    });
    return Object.keys(extensions).length === 0 ? undefined : extensions;
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
