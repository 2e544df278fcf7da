import { OutageLog, type Logger } from '@ringdown/observability';
import type { AlertmanagerReceiver } from '../../alert-receivers/receivers.js';
import type { AlertNotices } from './alert-notices.js';
import type { AlertReceivers } from './alert-receivers.js';
import { sendToAlertmanager } from './send-notice.js';

export interface OpenAlertReminderOptions {
  readonly notices: AlertNotices;
  readonly receivers: AlertReceivers;
  readonly logger: Logger;
}

/** Alertmanager keeps alerts in its memory and expects them again and again; all replicas remind it, as with Prometheus. */
export class OpenAlertReminder {
  private readonly outage: OutageLog;

  constructor(private readonly options: OpenAlertReminderOptions) {
    this.outage = new OutageLog({
      logger: options.logger,
      failure: 'Alertmanager does not accept the open alerts; trying again',
      recovery: 'Alertmanager accepts the open alerts again',
    });
  }

  async remindAll(): Promise<void> {
    await Promise.all(this.options.receivers.alertmanagers.map((receiver) => this.remind(receiver)));
  }

  private async remind(receiver: AlertmanagerReceiver): Promise<void> {
    for await (const notices of this.options.notices.current(receiver.name)) {
      const delivery = await sendToAlertmanager(receiver, notices);
      if (!delivery.ok) return this.outage.failed(receiver.name, delivery.reason);
      this.outage.succeeded(receiver.name);
    }
  }
}
