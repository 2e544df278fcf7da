import type { Metrics } from '@ringdown/observability';

/**
 * `retries`: too many retries. `queue`: too many were waiting. `unreadable`: unknown message on the bus. `set_aside`: could
 * not be prepared within the time limit, and is a dead letter.
 */
export type DropReason = (typeof DROP_REASONS)[number];

const DROP_REASONS = ['retries', 'queue', 'unreadable', 'set_aside'] as const;

/** Counters by subscriber name, of which the operator's file has few. */
export class SubscriberMetrics {
  private readonly deliveredTotal;
  private readonly deliverySeconds;
  private readonly droppedTotal;
  private readonly retriesTotal;
  private readonly waiting;
  private readonly failing;

  constructor(metrics: Metrics) {
    this.deliveredTotal = metrics.counter('subscriber_delivered_total', 'Records and calls that subscribers accepted', [
      'subscriber',
    ]);
    this.deliverySeconds = metrics.seconds(
      'subscriber_delivery_seconds',
      'Duration of the last request to a subscriber that was accepted',
      ['subscriber'],
    );
    this.droppedTotal = metrics.counter(
      'subscriber_dropped_total',
      'Records and calls that were dropped for a subscriber',
      ['subscriber', 'reason'],
    );
    this.retriesTotal = metrics.counter('subscriber_retries_total', 'Requests that had to be sent again', [
      'subscriber',
    ]);
    this.waiting = metrics.gauge('subscriber_waiting', 'Messages of the bus that wait for a subscriber', [
      'subscriber',
    ]);
    this.failing = metrics.gauge('subscriber_failing', '1 while the newest request to a subscriber failed', [
      'subscriber',
    ]);
  }

  /** Starts all counters at zero, so that the first drop is visible as an increase. */
  of(subscriber: string): OneSubscriber {
    const label = { subscriber };
    this.deliveredTotal.inc(label, 0);
    this.retriesTotal.inc(label, 0);
    this.failing.set(label, 0);
    this.waiting.set(label, 0);
    for (const reason of DROP_REASONS) this.droppedTotal.inc({ subscriber, reason }, 0);
    return {
      delivered: (seconds) => {
        this.deliveredTotal.inc(label);
        this.deliverySeconds.observe(label, seconds);
      },
      dropped: (reason, count = 1) => this.droppedTotal.inc({ subscriber, reason }, count),
      retried: () => this.retriesTotal.inc(label),
      setWaiting: (messages) => this.waiting.set(label, messages),
      setFailing: (failing) => this.failing.set(label, failing ? 1 : 0),
    };
  }
}

export interface OneSubscriber {
  delivered(seconds: number): void;
  dropped(reason: DropReason, count?: number): void;
  retried(): void;
  setWaiting(messages: number): void;
  setFailing(failing: boolean): void;
}
