import { Bus } from '@ringdown/nats';
import { quietLogger } from '@ringdown/testing';
import type { BusDescription, TappedMessage } from './bus-description.js';

/** Of JetStream and the server themselves; NATS describes them. */
const NOT_OURS = /^\$(?:JS|SYS)\./;
const INBOX = /^_INBOX\./;

/** Somebody who hears everything that goes over the bus. */
export class Wiretap {
  private readonly heard: TappedMessage[] = [];
  /** What the test itself has sent in order to disturb. */
  private readonly poison = new Set<string>();

  private constructor(readonly bus: Bus) {}

  static async open(url: string): Promise<Wiretap> {
    const tap = new Wiretap(await Bus.connect({ url, name: 'wiretap', logger: quietLogger() }));
    tap.bus.connection.subscribe('>', {
      callback: (_error, { subject, reply = '', headers, data }) => {
        // What JetStream hands on to those who read a stream was heard when it was sent.
        if (NOT_OURS.test(subject) || NOT_OURS.test(reply)) return;
        const named = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.get(name) ?? '']));
        tap.heard.push({ subject, reply, headers: named, payload: Buffer.from(data).toString('utf8') });
      },
    });
    // From here on the server knows of the subscription.
    await tap.bus.connection.flush();
    return tap;
  }

  /** Sends what no service would send; it is not part of what is described. */
  async disturb(subject: string, payload: string): Promise<void> {
    this.poison.add(`${subject} ${payload}`);
    this.bus.connection.publish(subject, payload);
    await this.bus.connection.flush();
  }

  /** All that the services have said so far. */
  get messages(): readonly TappedMessage[] {
    return this.heard.filter(({ subject, payload }) => !this.poison.has(`${subject} ${payload}`));
  }

  /** `channel/message` for each of them. Throws for one that the description does not have. */
  describedBy(description: BusDescription): string[] {
    const replyChannels = new Map<string, string | undefined>();
    return this.messages.flatMap((message) => {
      // The answer of JetStream, where the question was none of ours.
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
