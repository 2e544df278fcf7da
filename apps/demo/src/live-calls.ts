import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@ringdown/feed-client/command';
import type { CallPlan } from './calls/call-plan.js';
import type { DemoFeed } from './demo-feed.js';
import { FailingPhone } from './failing-phone.js';
import { Office, type OfficeOptions } from './calls/office.js';

export interface LiveOptions extends OfficeOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (open: number, begun: number) => void;
}

const TICK_MS = 250;
/** The BYE of the caller is on its way to the front end. */
const ENDS_AFTER_MS = 50;
const REPORTS_AFTER_MS = 1_200;

/** Sends the calls of an office as they happen, until it is stopped; then it ends those that are open. */
export class LiveCalls {
  private readonly office: Office;
  private readonly phone: FailingPhone;

  constructor(
    private readonly feed: DemoFeed,
    private readonly options: LiveOptions,
  ) {
    this.office = new Office(options, Date.now());
    const frontEnd = options.frontEnds[0]?.name ?? '';
    this.phone = new FailingPhone((failure) => feed.addFailure(frontEnd, failure));
  }

  /** Those that have begun here. */
  get calls(): number {
    return this.office.calls;
  }

  /** `unfinished`: calls that have begun already and of which everything until `sentUntil` is sent, and what follows from them. */
  async run(unfinished: readonly CallPlan[], sentUntil: number): Promise<void> {
    const { office } = this;
    const { signal, onProgress } = this.options;
    office.continue(unfinished, sentUntil);
    if (!signal.aborted) office.open();
    while (!signal.aborted) {
      const at = Date.now();
      office.beginUntil(at);
      await this.sendDue(at);
      this.phone.tryUntil(at);
      this.feed.reportFailures();
      onProgress(office.openAt(at), office.calls);
      await pause(TICK_MS, signal);
    }
    await this.endAll(Date.now() + ENDS_AFTER_MS);
  }

  private async sendDue(at: number): Promise<void> {
    const records = this.office.recordsUntil(at);
    for (const [frontEnd, messages] of this.office.messagesUntil(at)) this.feed.addMessages(frontEnd, messages);
    await this.feed.send(records);
  }

  private async endAll(at: number): Promise<void> {
    this.office.close(at);
    await this.sendDue(at);
    await sleep(REPORTS_AFTER_MS);
    await this.sendDue(Number.POSITIVE_INFINITY);
    await this.feed.settleMessages();
  }
}
