import type { TracedMessage } from '@ringdown/contracts/traces';
import type { ScriptedRecord } from '@ringdown/generated-calls';
import type { CallPlan } from './call-plan.js';
import { plannedMessages } from './call-messages.js';
import { plannedRecords } from './call-records.js';
import type { Story } from './story.js';

/** A call of which a part has been sent. */
export class RunningCall {
  private records: readonly ScriptedRecord[];
  private messages: readonly TracedMessage[];
  private isBegun: boolean;

  /** `sentUntil`: what happened until then has been sent already. */
  constructor(
    readonly plan: CallPlan,
    private readonly story: Story,
    private sentUntil: number,
  ) {
    this.isBegun = plan.invitedAt <= sentUntil;
    this.records = plannedRecords(plan, story).filter(({ at }) => at > sentUntil);
    this.messages = plannedMessages(plan).filter(({ at }) => at > sentUntil * 1_000);
  }

  get frontEnd(): string {
    return this.plan.frontEnd.name;
  }

  get hasBegun(): boolean {
    return this.isBegun;
  }

  get isDone(): boolean {
    return this.records.length === 0 && this.messages.length === 0;
  }

  isOpenAt(at: number): boolean {
    return this.plan.invitedAt <= at && this.plan.outcome.endedAt > at;
  }

  /** What is due and was not returned before. */
  recordsUntil(at: number): readonly ScriptedRecord[] {
    const due = this.records.filter((scripted) => scripted.at <= at);
    if (due.length > 0) this.isBegun = true;
    this.records = this.records.slice(due.length);
    this.sentUntil = Math.max(this.sentUntil, at);
    return due;
  }

  messagesUntil(at: number): readonly TracedMessage[] {
    const due = this.messages.filter((message) => message.at <= at * 1_000);
    this.messages = this.messages.slice(due.length);
    return due;
  }

  /** The same call with another end, of which only what comes next is sent. */
  replacedBy(plan: CallPlan): RunningCall {
    return new RunningCall(plan, this.story, this.sentUntil);
  }
}
