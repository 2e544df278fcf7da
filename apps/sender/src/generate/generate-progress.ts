import type { PlayProgress } from './play-progress.js';
import type { ScriptedRecord } from '@ringdown/generated-calls';
import type { Script } from './script.js';
import { bar, type ProgressLine } from '@ringdown/feed-client/command';

/** Progress and rate of generated calls. */
export class GenerateProgress implements PlayProgress {
  private callsBefore = 0;
  private records = 0;
  private script: Script | undefined;

  constructor(
    private readonly line: ProgressLine,
    private readonly calls: number,
  ) {}

  started(script: Script): void {
    this.callsBefore += this.script?.calls ?? 0;
    this.script = script;
  }

  sent({ at }: ScriptedRecord): void {
    this.records++;
    this.line.show(() => {
      const done = this.done(at);
      return `${bar(done / this.calls)} ${done}/${this.calls} calls, ${this.line.perSecond(this.records)} records/s`;
    });
  }

  ended(): void {
    this.line.end();
  }

  /** Estimated by the time in the script, because calls overlap. */
  private done(at: number): number {
    if (!this.script) return 0;
    const { startsAt, records, calls } = this.script;
    const length = Math.max(1, (records.at(-1)?.at ?? startsAt) - startsAt);
    return this.callsBefore + Math.round((calls * (at - startsAt)) / length);
  }
}
