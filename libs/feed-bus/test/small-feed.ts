import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { ensureFeedStreams } from '../src/doors/streams.js';

/** A stream of records with one message after another, of which only the partition matters. */
export class SmallFeed {
  private constructor(
    readonly nats: TestNats,
    readonly bus: Bus,
    /** The creation time of the stream, as positions contain it. */
    readonly epoch: string,
  ) {}

  static async start(partitions: readonly number[]): Promise<SmallFeed> {
    const nats = await startNats();
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 });
    for (const partition of partitions) await bus.js.publish(recordsSubject(partition), '{}');
    return new SmallFeed(nats, bus, (await bus.jsm.streams.info(RECORDS_STREAM)).created);
  }

  get isConnected(): boolean {
    try {
      this.bus.assertConnected();
      return true;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    await this.bus.close();
    await this.nats.stop();
  }
}
