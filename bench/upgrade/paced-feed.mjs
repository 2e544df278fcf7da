// New calls at a steady pace, published as a collector does, and how long until each can be queried.
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordPublisher } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { Watch } from '../feed/watch.mjs';
import { starts } from '../feed/traffic.mjs';

const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });
/** More than are published in an upgrade. */
const MOST = 10_000_000;

export class PacedFeed {
  #options;
  #watch;
  #stopping = false;
  #running;

  /** `perSecond`: calls. */
  constructor(options) {
    this.#options = options;
    this.#watch = new Watch(options.server);
  }

  async start() {
    await this.#watch.start();
    this.#running = this.#publish();
  }

  /** Returns what `Watch.stop` does. */
  async stop() {
    this.#stopping = true;
    await this.#running;
    return this.#watch.stop();
  }

  async #publish() {
    const { natsUrl, perSecond } = this.#options;
    const bus = await Bus.connect({ url: natsUrl, name: 'bench feed', logger });
    try {
      const publisher = new RecordPublisher({ bus });
      for (const { callId, xml } of starts({ calls: MOST })) {
        if (this.#stopping) return;
        const id = `${callId}-new`;
        const { record } = readFeedMessage(xml.replaceAll(callId, id), defaultProfile);
        const receivedAt = Date.now();
        this.#watch.add({ callId: id, at: receivedAt });
        await publisher.publish({ id, receivedAt, record, xml: xml.replaceAll(callId, id) });
        await sleep(1_000 / perSecond);
      }
    } finally {
      await bus.close();
    }
  }
}
