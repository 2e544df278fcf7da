import type { DemoProgress, ProgressOutput } from '../demo/progress.js';
import type { Script, ScriptedRecord } from '../demo/script.js';

const TERMINAL_EVERY_MS = 200;
const ELSEWHERE_EVERY_MS = 10_000;

/** How far made-up calls are, and how fast: a line that is written over on a terminal, elsewhere one each ten seconds. */
export class GenerateProgress implements DemoProgress {
  private callsBefore = 0;
  private records = 0;
  private script: Script | undefined;
  private spokeAt: number;
  private readonly began: number;

  constructor(
    private readonly out: ProgressOutput,
    private readonly calls: number,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.began = now();
    this.spokeAt = this.began;
  }

  started(script: Script): void {
    this.callsBefore += this.script?.calls ?? 0;
    this.script = script;
  }

  sent({ at }: ScriptedRecord): void {
    this.records++;
    const every = this.out.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS;
    if (this.now() - this.spokeAt < every) return;
    this.spokeAt = this.now();
    const line = `${this.bar(at)} ${this.done(at)}/${this.calls} calls, ${this.rate()} records/s`;
    this.out.write(this.out.isTTY ? `\r${line} \u001B[K` : `${line}\n`);
  }

  ended(): void {
    if (this.out.isTTY) this.out.write('\r\u001B[K');
  }

  /** By the time in the script: the calls overlap. */
  private done(at: number): number {
    if (!this.script) return 0;
    const { startsAt, records, calls } = this.script;
    const length = Math.max(1, (records.at(-1)?.at ?? startsAt) - startsAt);
    return this.callsBefore + Math.round((calls * (at - startsAt)) / length);
  }

  private bar(at: number): string {
    const filled = Math.min(20, Math.round((this.done(at) / this.calls) * 20));
    return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}]`;
  }

  private rate(): number {
    return Math.round(this.records / Math.max(0.001, (this.now() - this.began) / 1_000));
  }
}
