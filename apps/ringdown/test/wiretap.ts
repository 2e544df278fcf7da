import { Bus } from '@ringdown/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { BusDescription, TappedMessage } from './bus-description.js';

/** Subjects of JetStream and of the server itself, which NATS describes. */
const NOT_OURS = /^\$(?:JS|SYS)\./;
const INBOX = /^_INBOX\./;

/** A subscriber to everything on the bus. */
export class Wiretap {
  private readonly tapped: TappedMessage[] = [];
  /** The messages that the test itself has sent to disturb the system. */
  private readonly poison = new Set<string>();

  private constructor(readonly bus: Bus) {}

  static async open(url: string): Promise<Wiretap> {
    const tap = new Wiretap(await Bus.connect({ url, name: 'wiretap', logger: quietLogger() }));
    tap.bus.connection.subscribe('>', {
      callback: (_error, { subject, reply = '', headers, data }) => {
        // Messages that JetStream delivers to readers of a stream were recorded when they were published.
        if (NOT_OURS.test(subject) || NOT_OURS.test(reply)) return;
        const named = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.get(name) ?? '']));
        tap.tapped.push({ subject, reply, headers: named, payload: Buffer.from(data).toString('utf8') });
      },
    });
    // From here on the subscription is active at the server.
    await tap.bus.connection.flush();
    return tap;
  }

  /** Publishes what no service would publish; it is not compared with the description. */
  async disturb(subject: string, payload: string): Promise<void> {
    this.poison.add(`${subject} ${payload}`);
    this.bus.connection.publish(subject, payload);
    await this.bus.connection.flush();
  }

  /** All messages of the services so far. */
  get messages(): readonly TappedMessage[] {
    return this.tapped.filter(({ subject, payload }) => !this.poison.has(`${subject} ${payload}`));
  }

  /** `channel/message` for each of them. Throws for a message that is not in the description. */
  describedBy(description: BusDescription): string[] {
    const replyChannels = new Map<string, string | undefined>();
    return this.messages.flatMap((message) => {
      // A reply of JetStream, whose request was not recorded.
      if (INBOX.test(message.subject) && replyChannels.get(message.subject) === undefined) return [];
      const channels = INBOX.test(message.subject)
        ? [replyChannels.get(message.subject) ?? '']
        : description.channelsOf(message.subject);
      const [channel] = channels;
      if (channel === undefined || channels.length !== 1) {
        throw new Error(`${message.subject} matches the channels ${JSON.stringify(channels)}`);
      }
      if (message.reply !== '') replyChannels.set(message.reply, description.replyChannelOf(channel));
      return description.describe(channel, message);
    });
  }

  stop(): Promise<void> {
    return this.bus.close();
  }
}
