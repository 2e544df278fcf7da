import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { AgreedMedium } from '../../media/agreed-media.js';
import { SmallMap } from '../../collections/small-map.js';
import type { SipMessage } from '../../sip/sip-message.js';

/** A dialog with one of the devices that answered a forked INVITE. */
export interface AnsweredFork {
  readonly callee: Endpoint;
  readonly media: readonly AgreedMedium[];
}

const FORK_LIMIT = 32;

/** At which hops the answer of a device was captured. */
interface AnsweredAt {
  readonly caller: boolean;
  readonly behind: boolean;
}

/**
 * The devices of one INVITE besides the one that has the call, by the tag of their dialog. A proxy that forks in parallel
 * may deliver several 200 responses: the caller keeps one dialog and ends the others with BYE (RFC 3261, 13.2.2.4).
 */
export class Forks {
  /** Undefined: it rings, was rejected, or is over. Bounded: a later device is not known. */
  private readonly known = new SmallMap<AnsweredFork | undefined>(FORK_LIMIT);

  /** By the tag of a 2xx. */
  private readonly answeredAt = new SmallMap<AnsweredAt>(FORK_LIMIT);
  /** By another tag of the same header: the first one. */
  private readonly aliases = new SmallMap<string>(FORK_LIMIT);

  has(tag: string): boolean {
    return this.known.has(tag);
  }

  /** A device has answered. `isCallers`: on the hop of the caller. `others`: more tags that its header has. */
  onAnswer(tag: string, isCallers: boolean, others: readonly string[] = []): void {
    const { caller = false, behind = false } = this.answeredAt.get(tag) ?? {};
    this.answeredAt.set(tag, { caller: caller || isCallers, behind: behind || !isCallers });
    for (const other of others) this.aliases.set(other, tag);
  }

  /**
   * Whether both tags are of one device: some proxies write another To tag towards the caller. Then one tag is only in answers to
   * the caller, the other one only in answers behind the proxy; of two devices, the caller gets both.
   */
  isSameDialog(one: string | undefined, other: string | undefined): boolean {
    if (one === undefined || other === undefined) return false;
    if (one === other || this.aliases.get(one) === other || this.aliases.get(other) === one) return true;
    const [a, b] = [this.answeredAt.get(one), this.answeredAt.get(other)];
    if (!a || !b || a.caller === a.behind || b.caller === b.behind) return false;
    return a.caller !== b.caller;
  }

  ring(tag: string): void {
    if (!this.known.has(tag)) this.put(tag, undefined);
  }

  answer(tag: string, fork: AnsweredFork): void {
    if (this.known.get(tag) === undefined) this.put(tag, fork);
  }

  /** This device has the call and is no longer an alternative. */
  choose(tag: string): void {
    this.known.delete(tag);
  }

  /** The dialogs that a BYE names are over. */
  endOf({ from, to }: Pick<SipMessage, 'from' | 'to'>): void {
    for (const tag of [from.tag, to.tag]) if (tag !== undefined && this.known.has(tag)) this.known.set(tag, undefined);
  }

  /** The device that answered first among the others whose dialogs are not over. */
  answeredBesides(callee: string | undefined): AnsweredFork | undefined {
    return this.known.values().find((fork) => fork !== undefined && !this.isSameDialog(fork.callee.id, callee));
  }

  clear(): void {
    this.known.clear();
    this.answeredAt.clear();
    this.aliases.clear();
  }

  private put(tag: string, fork: AnsweredFork | undefined): void {
    if (this.known.size < FORK_LIMIT || this.known.has(tag)) this.known.set(tag, fork);
  }
}
