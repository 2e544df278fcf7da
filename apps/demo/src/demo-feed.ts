import type { SipFailureCount } from '@ringdown/contracts/sip-failures';
import type { TracedMessage } from '@ringdown/contracts/traces';
import {
  DeliveryTally,
  NoCollector,
  RecordSender,
  SipFailureSender,
  TraceSender,
  type DeliveryCounts,
  type FeedsOptions,
} from '@ringdown/feed-client';
import type { ScriptedRecord } from '@ringdown/generated-calls';

export interface DemoFeedOptions extends FeedsOptions {
  /** The collector does not answer; called once for each outage. */
  readonly onAway: () => void;
  readonly onBack: () => void;
}

interface Connection {
  readonly records: RecordSender;
  readonly messages: TraceSender;
  readonly failures: SipFailureSender;
}

/** Until it answers again, at the pace of the longest pause. */
const PERSISTENCE = {
  maxRetry: Number.MAX_SAFE_INTEGER,
  maxDelayLimit: 5,
  maxBackoffMs: 2_000,
  maxRetryBeforeFailover: 10,
};
const MESSAGES_AT_MOST = 20_000;
const LAST_MESSAGES_MS = 5_000;
const FAILURES_EVERY_MS = 5_000;

/**
 * The connections of the demo's front ends. Its records are marked as back-fill, so that those that waited for a collector
 * are where they belong. Nothing is given up while a collector is away.
 */
export class DemoFeed {
  private readonly tally = new DeliveryTally();
  private readonly connections: ReadonlyMap<string, Connection>;
  private isAway = false;

  /** Throws {@link NoCollector} when none answers, or the program is interrupted before. */
  static async open(names: readonly string[], options: DemoFeedOptions): Promise<DemoFeed> {
    const feed = new DemoFeed(names, options);
    const { signal, address } = options;
    const close = (): void => feed.close();
    signal.addEventListener('abort', close);
    try {
      for (const { records } of feed.connections.values()) {
        const opening = await records.open();
        const { origin } = address.records;
        if (signal.aborted) throw new NoCollector(`interrupted before a collector answered at ${origin}`);
        if (!opening.ok) throw new NoCollector(`no collector answers at ${origin}: ${opening.reason}`);
      }
      return feed;
    } catch (error) {
      feed.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  private constructor(
    names: readonly string[],
    private readonly options: DemoFeedOptions,
  ) {
    this.connections = new Map(names.map((name) => [name, this.connectionOf(name)]));
  }

  get counts(): DeliveryCounts {
    return this.tally.counts;
  }

  /** Resolves when all are accepted or rejected; those of a front end are sent in their order. */
  async send(scripted: readonly ScriptedRecord[]): Promise<void> {
    const byFrontEnd = Map.groupBy(scripted, ({ frontEnd }) => frontEnd);
    await Promise.all(
      [...byFrontEnd].map(([name, own]) =>
        this.sendOf(
          name,
          own.map(({ record }) => record),
        ),
      ),
    );
  }

  addMessages(frontEnd: string, messages: readonly TracedMessage[]): void {
    for (const message of messages) this.connections.get(frontEnd)?.messages.add(message);
  }

  /** A request outside of calls that failed at this front end; reported some seconds later. */
  addFailure(frontEnd: string, failure: Omit<SipFailureCount, 'count'>): void {
    this.connections.get(frontEnd)?.failures.add(failure);
  }

  /** Call it about each second. */
  reportFailures(): void {
    for (const { failures } of this.connections.values()) failures.sweep(performance.now());
  }

  /** Resolves when the messages that wait are few, or the collector does not accept them now. */
  async settleMessages(): Promise<void> {
    await Promise.all([...this.connections.values()].map(({ messages }) => messages.settle(LAST_MESSAGES_MS)));
  }

  close(): void {
    for (const { records, messages, failures } of this.connections.values()) {
      records.close();
      messages.close();
      failures.close();
    }
  }

  private connectionOf(frontEnd: string): Connection {
    const { options } = this;
    const onRetry = (): void => this.follow(true);
    const beside = { ...options, address: () => options.address, frontEnd };
    const failures = new SipFailureSender({ ...beside, everyMs: FAILURES_EVERY_MS, onOutcome: () => undefined });
    const records = new RecordSender({
      ...options,
      frontEnd,
      isBackfill: true,
      persistence: PERSISTENCE,
      onRetry,
      onConfiguration: (configuration) => failures.onConfiguration(configuration),
    });
    const messages = new TraceSender({
      ...beside,
      queueLength: MESSAGES_AT_MOST,
      onOutcome: () => undefined,
    });
    return { records, messages, failures };
  }

  private async sendOf(frontEnd: string, records: readonly ScriptedRecord['record'][]): Promise<void> {
    const sender = this.connections.get(frontEnd)?.records;
    if (sender === undefined) throw new Error(`no connection of the front end ${frontEnd}`);
    for (let next = records; next.length > 0;) {
      const deliveries = await sender.sendBatch(next);
      for (const delivery of deliveries) {
        this.tally.add(delivery);
        if (delivery.outcome === 'answered') this.follow(false);
      }
      next = next.slice(deliveries.length);
    }
  }

  private follow(isAway: boolean): void {
    if (isAway === this.isAway) return;
    this.isAway = isAway;
    if (isAway) this.options.onAway();
    else this.options.onBack();
  }
}
