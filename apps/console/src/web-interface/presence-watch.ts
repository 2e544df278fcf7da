import { Mutex } from 'async-mutex';
import type { OwnApplication } from './application.js';
import { RequestRefused } from './errors.js';
import type { SessionEvent } from './events.js';

export interface PresenceWatchOptions {
  readonly application: OwnApplication;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Subscription {
  readonly href: string;
  readonly add: string;
}

/** The longest duration. */
const MINUTES = 30;
/** The event of our own extension must not cause the next one, milliseconds. */
const FRESH_MS = 10 * 60 * 1000;

/**
 * Keeps the session subscribed to the presence of people (web-interface.md, section 5), which the event channel
 * reports. The server announces the end of a subscription there, and it is extended.
 */
export class PresenceWatch {
  private readonly watched = new Set<string>();
  private subscription: Subscription | undefined;
  private prolongedAt = 0;
  /** One request after another, so that there is one subscription. */
  private readonly requesting = new Mutex();

  constructor(private readonly options: PresenceWatchOptions) {}

  /** SIP addresses, in addition to those already watched. */
  watch(uris: readonly string[]): Promise<void> {
    return this.requesting.runExclusive(async () => {
      const others = uris.filter((uri) => !this.watched.has(uri));
      if (others.length === 0) return;
      const { subscription } = this;
      await (subscription === undefined
        ? this.subscribe([...this.watched, ...others])
        : this.add(subscription, others));
      for (const uri of others) this.watched.add(uri);
    });
  }

  /** After the channel has started over: subscriptions may have ended. */
  renew(): Promise<void> {
    return this.requesting.runExclusive(async () => {
      this.subscription = undefined;
      if (this.watched.size > 0) await this.subscribe([...this.watched]);
    });
  }

  /** Call it for every event. */
  async onEvent({ link, type }: SessionEvent): Promise<void> {
    if (link.rel !== 'presenceSubscription' || link.href !== this.subscription?.href) return;
    if (type === 'deleted') await this.renew();
    else if (type === 'updated' && this.options.now() - this.prolongedAt > FRESH_MS) await this.prolong();
  }

  private prolong(): Promise<void> {
    return this.requesting.runExclusive(async () => {
      const { subscription } = this;
      if (subscription === undefined) return;
      try {
        await this.requests.notify(subscription.href, { body: { duration: MINUTES } });
        this.prolongedAt = this.options.now();
      } catch (error) {
        if (!isGone(error)) throw error;
        await this.subscribe([...this.watched]);
      }
    });
  }

  private async add({ add }: Subscription, uris: readonly string[]): Promise<void> {
    try {
      await this.requests.notify(add, { body: { contactUris: uris } });
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.subscribe([...this.watched, ...uris]);
    }
  }

  private async subscribe(uris: readonly string[]): Promise<void> {
    const body = { duration: MINUTES, uris };
    const made = await this.requests.post(this.options.application.resource.people.subscriptions, { body });
    this.subscription = { href: made.link('self'), add: made.link('addToPresenceSubscription') };
    this.prolongedAt = this.options.now();
  }

  private get requests(): OwnApplication['requests'] {
    return this.options.application.requests;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof RequestRefused && error.status === 404;
}
