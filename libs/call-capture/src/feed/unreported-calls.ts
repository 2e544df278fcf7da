import { isInvite, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';

/** Counts the calls of which no record can be written: in 1.0 a call exists from its answer or rejection on. */
export class UnreportedCalls {
  /** Calls that may still be answered. Bounded: as many as are tracked. */
  private readonly ringing = new Set<string>();
  private forgotten = 0;

  get count(): number {
    return this.forgotten + this.ringing.size;
  }

  /** `written`: how many records it became in the version of the collector. */
  onRecord({ connection: { callId }, events }: DiagnosticsRecord, written: number): void {
    if (written > 0) this.ringing.delete(callId);
    else if (events.every(isInvite)) this.ringing.add(callId);
  }

  onForgotten(callId: string): void {
    if (this.ringing.delete(callId)) this.forgotten++;
  }
}
