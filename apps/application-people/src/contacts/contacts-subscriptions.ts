import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';

interface StoredSubscription {
  readonly v: 1;
  /** Milliseconds since 1970; null after the client has stopped it. */
  readonly until: number | null;
}

/** `none` for a client that has never requested one; it gets all events, as the clients that know no subscription expect. */
export type ContactsSubscriptionState = 'none' | 'running' | 'ended' | 'stopped';

/** As for the conversations of applications, milliseconds. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;

/**
 * The subscriptions of applications to the contacts and groups of their user: `contacts.<id>` beside their
 * conversations, in a bucket whose entries expire later than applications.
 */
export class ContactsSubscriptions {
  private constructor(private readonly bucket: Bucket<StoredSubscription>) {}

  static async open(bus: Bus): Promise<ContactsSubscriptions> {
    return new ContactsSubscriptions(
      await Bucket.open({ bus, name: 'OWN_CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse }),
    );
  }

  async stateOf(application: string, now = Date.now()): Promise<ContactsSubscriptionState> {
    const subscription = (await this.bucket.get(contactsSubscriptionKey(application)))?.value;
    if (subscription === undefined) return 'none';
    if (subscription.until === null) return 'stopped';
    return subscription.until > now ? 'running' : 'ended';
  }

  async start(application: string, until: number): Promise<void> {
    await this.bucket.put(contactsSubscriptionKey(application), { v: 1, until });
  }

  async stop(application: string): Promise<void> {
    await this.bucket.put(contactsSubscriptionKey(application), { v: 1, until: null });
  }

  /** Of an application that has ended: no other one gets its id. */
  async delete(application: string): Promise<void> {
    await this.bucket.erase(contactsSubscriptionKey(application));
  }
}

function contactsSubscriptionKey(application: string): string {
  return `contacts.${application}`;
}

function parse(value: unknown): StoredSubscription {
  const { v, until } = Object(value);
  if (v !== 1 || (typeof until !== 'number' && until !== null)) {
    throw new Error('a stored subscription to contacts has an unknown format');
  }
  return { v, until };
}
