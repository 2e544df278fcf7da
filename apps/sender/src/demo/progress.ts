import { bar, type ProgressOutput } from '../progress-line.js';
import type { Script, ScriptedRecord } from './script.js';

/** Notified of the progress of the demo. */
export interface DemoProgress {
  started(script: Script): void;
  sent(scripted: ScriptedRecord): void;
  ended(): void;
}

export const noProgress: DemoProgress = {
  started: () => undefined,
  sent: () => undefined,
  ended: () => undefined,
};

/** Rewrites one line on a terminal; elsewhere writes a line at each quarter. */
export class TextProgress implements DemoProgress {
  private total = 0;
  private done = 0;

  constructor(private readonly out: ProgressOutput) {}

  started({ calls, records }: Script): void {
    this.total = records.length;
    this.out.write(`Sending ${this.total} records of ${calls} calls.\n`);
  }

  sent({ at }: ScriptedRecord): void {
    this.done++;
    const clock = new Date(at).toTimeString().slice(0, 5);
    if (this.out.isTTY)
      this.out.write(
        `\r${bar(this.done / this.total)} ${this.done}/${this.total} records, scripted time ${clock} \u001B[K`,
      );
    else if (this.atQuarter()) this.out.write(`${this.done}/${this.total} records, scripted time ${clock}\n`);
  }

  ended(): void {
    if (this.out.isTTY) this.out.write('\n');
  }

  private atQuarter(): boolean {
    const quarter = (records: number): number => Math.floor((records * 4) / this.total);
    return quarter(this.done) > quarter(this.done - 1);
  }
}
