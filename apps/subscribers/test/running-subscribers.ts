import { RecordPublisher } from '@ringdown/feed-bus';
import { ensureFeedStreams, streamSettings } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { Health, Metrics } from '@ringdown/observability';
import { startService } from '@ringdown/service';
import { readSettings } from '@ringdown/settings';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { msProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subscribers } from '../src/index.js';

export const SEED = 'seed of the whole system';

/** The service as its `main` runs it, and the collectors' end of the bus. */
export class RunningSubscribers {
  private readonly folder = mkdtempSync(join(tmpdir(), 'ringdown-subscribers-'));
  private metrics = new Metrics();
  health = new Health();
  private close: (() => Promise<void>) | undefined;

  private constructor(
    private readonly natsUrl: string,
    readonly bus: Bus,
    private readonly publisher: RecordPublisher,
  ) {}

  static async open(natsUrl: string): Promise<RunningSubscribers> {
    const bus = await Bus.connect({ url: natsUrl, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, readSettings(streamSettings, {}));
    return new RunningSubscribers(natsUrl, bus, new RecordPublisher({ bus, deadlineMs: 60_000 }));
  }

  async start(...list: readonly object[]): Promise<void> {
    const file = join(this.folder, 'subscribers.json');
    writeFileSync(file, JSON.stringify({ subscribers: list }));
    this.metrics = new Metrics();
    this.health = new Health();
    const { app } = await startService({
      service: subscribers,
      env: { SUBSCRIBERS_FILE: file, IDENTITY_SEED: SEED },
      natsUrl: this.natsUrl,
      shared: { logger: quietLogger(), metrics: this.metrics, health: this.health },
    });
    this.close = () => app.close();
  }

  /** Publishes records as a collector does. */
  async publish(...documents: readonly string[]): Promise<void> {
    await Promise.all(
      documents.map((xml) => {
        const message = readFeedMessage(Buffer.from(xml), msProfile);
        if (message.kind !== 'record') throw new Error('not a record');
        return this.publisher.publish({ id: randomUUID(), receivedAt: Date.now(), record: message.record, xml });
      }),
    );
  }

  /** Value of one line of the metrics. */
  async metric(name: string): Promise<number | undefined> {
    const lines = (await this.metrics.registry.metrics()).split('\n');
    const line = lines.find((candidate) => candidate.startsWith(name));
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
  }

  async stop(): Promise<void> {
    await this.close?.();
    this.close = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    await this.bus.close();
    rmSync(this.folder, { recursive: true });
  }
}
