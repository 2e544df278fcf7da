import { OutageLog, type Logger } from '@ringdown/observability';
import type { AlertMetrics } from './alert-metrics.js';
import type { AlertNotices, DueNotice } from './alert-notices.js';
import type { AlertReceivers } from './alert-receivers.js';
import { sendNotice } from './send-notice.js';

export interface NoticeDelivererOptions {
  readonly notices: AlertNotices;
  readonly receivers: AlertReceivers;
  readonly metrics: AlertMetrics;
  readonly logger: Logger;
}

/**
 * Sends notices, each at least once: a replica that dies after it has sent one leaves it to be sent again. A receiver
 * gets its notices one after the other, and those of others do not wait for it.
 */
export class NoticeDeliverer {
  private readonly outage: OutageLog;

  constructor(private readonly options: NoticeDelivererOptions) {
    this.outage = new OutageLog({
      logger: options.logger,
      failure: 'a receiver of alerts does not accept a notice; trying again',
      recovery: 'the receiver of alerts accepts notices again',
    });
  }

  /** Everything that is due. */
  async deliverAll(): Promise<void> {
    const { notices, metrics, receivers } = this.options;
    metrics.noticed('given_up', await notices.giveUp());
    const due = await notices.claim(receivers.names);
    await Promise.all(due.map((notice) => this.deliverFrom(notice)));
  }

  /** A notice, and those after it for the same receiver. */
  private async deliverFrom(first: DueNotice): Promise<void> {
    for (let next: DueNotice | undefined = first; next !== undefined;) {
      await this.deliver(next);
      [next] = await this.options.notices.claim([first.receiver]);
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
