import type { Logger } from '@ringdown/observability';
import { FixedDelayTask } from '../../feed/fixed-delay-task.js';
import type { AlertDecider } from './alert-decider.js';
import type { Alerts } from '../alerts.js';
import type { FileRules } from '../rules/file-rules.js';
import type { OpenAlertReminder } from '../delivery/open-alert-reminder.js';
import type { NoticeDeliverer } from '../delivery/notice-deliverer.js';

export interface AlertTasksOptions {
  readonly fileRules: FileRules;
  readonly decider: AlertDecider;
  readonly deliverer: NoticeDeliverer;
  readonly reminder: OpenAlertReminder;
  readonly alerts: Alerts;
  /** Creates the tables. */
  readonly reader: { readonly isPrepared: boolean };
  readonly periodMs: number;
  /** How long alerts are kept. */
  readonly historyDays: number;
  readonly logger: Logger;
}

const FILE_MS = 1_000;
const DELIVERY_MS = 1_000;
const LONGEST_REMINDER_MS = 60_000;
const CLEANING_MS = 3_600_000;

/** Evaluates the rules, delivers notices and deletes old alerts, again and again. */
export class AlertTasks {
  private readonly tasks: readonly FixedDelayTask[];
  private readonly deliverer: NoticeDeliverer;

  constructor({
    fileRules,
    decider,
    deliverer,
    reminder,
    alerts,
    reader,
    periodMs,
    historyDays,
    logger,
  }: AlertTasksOptions) {
    const task = (name: string, work: () => Promise<unknown>, ms: number): FixedDelayTask =>
      new FixedDelayTask({
        // After a start, the tables may not exist yet.
        work: () => (reader.isPrepared ? work() : Promise.resolve()),
        periodMs: ms,
        logger,
        failure: `${name} failed; trying again`,
        recovery: `${name} succeeds again`,
      });
    this.deliverer = deliverer;
    this.tasks = [
      task('the storing of ALERT_RULES', () => fileRules.store(), FILE_MS),
      task('the evaluation of alert rules', () => decider.decideAll(), periodMs),
      task('the delivery of alerts', () => deliverer.deliverAll(), DELIVERY_MS),
      task('the repetition of open alerts', () => reminder.remindAll(), Math.min(periodMs, LONGEST_REMINDER_MS)),
      task('the deletion of old alerts', () => alerts.deleteOlderThan(historyDays), CLEANING_MS),
    ];
  }

  start(): void {
    for (const task of this.tasks) task.start();
  }

  /** Waits for the current evaluation and deliveries. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
    await this.deliverer.stop();
  }
}
