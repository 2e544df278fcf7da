import type { Endpoint } from '@ringdown/xml-schemas';
import type { AgreedMedium } from '../media/agreed-media.js';
import { SmallMap } from '../collections/small-map.js';

/** A dialog with one of the devices that answered a forked INVITE. */
export interface AnsweredFork {
  readonly callee: Endpoint;
  readonly media: readonly AgreedMedium[];
}

const FORK_LIMIT = 32;

/**
 * The devices of one INVITE besides the one that has the call, by the tag of their dialog. A proxy that forks in parallel
 * may deliver several 200 responses: the caller keeps one dialog and ends the others with BYE (RFC 3261, 13.2.2.4).
 */
export class Forks {
  /** Undefined: it rings, was rejected, or is over. Bounded: a later device is not known. */
  private readonly known = new SmallMap<AnsweredFork | undefined>(FORK_LIMIT);

  has(tag: string): boolean {
    return this.known.has(tag);
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

  /** Its dialog is over. */
  end(tag: string): void {
    if (this.known.has(tag)) this.known.set(tag, undefined);
  }

  /** The device that answered first among those whose dialogs are not over. */
  get answered(): AnsweredFork | undefined {
    return this.known.values().find((fork) => fork !== undefined);
  }

  clear(): void {
    this.known.clear();
  }

  private put(tag: string, fork: AnsweredFork | undefined): void {
    if (this.known.size < FORK_LIMIT || this.known.has(tag)) this.known.set(tag, fork);
  }
}
