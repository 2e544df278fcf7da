import { errorReason } from '@ringdown/errors';
import { OutageLog, type Logger } from '@ringdown/observability';
import type { AlertMetrics } from '../deciding/alert-metrics.js';
import type { AlertNotices, DueNotice } from './alert-notices.js';
import type { AlertReceivers } from './alert-receivers.js';
import { sendNotice } from './send-notice.js';

export interface NoticeDelivererOptions {
  readonly notices: Pick<AlertNotices, 'giveUp' | 'claim' | 'delivered' | 'failed'>;
  readonly receivers: AlertReceivers;
  readonly metrics: Pick<AlertMetrics, 'noticed'>;
  readonly logger: Logger;
}

/** Between looks for notices that are a day or more old. */
const GIVE_UP_MS = 60_000;

/**
 * Sends notices, each at least once: a replica that dies after it has sent one leaves it to be sent again. A receiver
 * gets its notices one after the other, and those of others do not wait for it.
 */
export class NoticeDeliverer {
  private readonly outage: OutageLog;
  private readonly storage: OutageLog;
  /** What is under way, by receiver. */
  private readonly deliveries = new Map<string, Promise<void>>();
  private isStopping = false;
  private giveUpAt = -Infinity;

  constructor(private readonly options: NoticeDelivererOptions) {
    const { logger } = options;
    this.outage = new OutageLog({
      logger,
      failure: 'a receiver of alerts does not accept a notice; trying again',
      recovery: 'the receiver of alerts accepts notices again',
    });
    this.storage = new OutageLog({
      logger,
      failure: 'the result of a delivery of an alert was not stored; it may be sent again',
      recovery: 'results of deliveries of alerts are stored again',
    });
  }

  /** Begins everything that is due, and does not wait for it. */
  async deliverAll(): Promise<void> {
    const { notices, metrics, receivers } = this.options;
    if (performance.now() >= this.giveUpAt) {
      metrics.noticed('given_up', await notices.giveUp());
      this.giveUpAt = performance.now() + GIVE_UP_MS;
    }
    const idle = receivers.names.filter((name) => !this.deliveries.has(name));
    if (idle.length === 0) return;
    for (const notice of await notices.claim(idle)) this.begin(notice);
  }

  /** Waits for the notices that are under way. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.deliveries.values());
  }

  private begin(first: DueNotice): void {
    const { receiver } = first;
    const delivery = this.deliverFrom(first).then(
      () => this.storage.succeeded(receiver),
      (error) => this.storage.failed(receiver, errorReason(error)),
    );
    this.deliveries.set(
      receiver,
      delivery.finally(() => this.deliveries.delete(receiver)),
    );
  }

  /** A notice, and those after it for the same receiver. */
  private async deliverFrom(first: DueNotice): Promise<void> {
    for (let next: DueNotice | undefined = first; next !== undefined;) {
      await this.deliver(next);
      [next] = this.isStopping ? [] : await this.options.notices.claim([first.receiver]);
    }
  }

  private async deliver(due: DueNotice): Promise<void> {
    const { notices, metrics, receivers } = this.options;
    const receiver = receivers.find(due.receiver);
    if (receiver === undefined) return;
    const delivery = await sendNotice(receiver, due.body);
    metrics.noticed(delivery.ok ? 'delivered' : 'failed', 1);
    if (delivery.ok) {
      await notices.delivered(due);
      this.outage.succeeded(due.receiver);
    } else {
      await notices.failed(due, delivery.reason);
      this.outage.failed(due.receiver, delivery.reason);
    }
  }
}
