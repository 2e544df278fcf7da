import { bar, type ProgressLine } from '../progress-line.js';

/** Shows the progress of a replay. The readers of files add to `bytes`. */
export class ReplayProgress {
  bytes = 0;
  /** Of all files. */
  total = 0;
  private records = 0;

  /** `line`: left out if progress is not shown. */
  constructor(private readonly line?: ProgressLine) {}

  /** `at`: the time in the file, milliseconds since 1970. */
  played(at: number, records: number): void {
    const { line } = this;
    this.records += records;
    line?.show(() => {
      const share = this.total === 0 ? 0 : Math.min(1, this.bytes / this.total);
      const time = new Date(at).toISOString().slice(0, 19);
      const rate = line.perSecond(this.records);
      return `${bar(share)} ${Math.floor(share * 100)} %, at ${time}Z, ${this.records} records, ${rate} records/s`;
    });
  }

  ended(): void {
    this.line?.end();
  }
}
