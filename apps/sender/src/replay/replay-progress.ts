import { bar, counted, type ProgressLine, type ProgressOutput } from '@ringdown/feed-client/command';

const JSON_EVERY_MS = 500;

/** Shows the progress of a replay. The readers of files add to `bytes`. */
export class ReplayProgress {
  bytes = 0;
  /** Of all files. */
  total = 0;
  private records = 0;
  private writtenAt = -Infinity;

  /** Each is left out if progress is not shown there. A reader of `json` that goes away ends the program. */
  constructor(
    private readonly line?: ProgressLine,
    private readonly json?: Pick<ProgressOutput, 'write'>,
  ) {}

  /** `at`: the time in the file, milliseconds since 1970. */
  played(at: number, records: number): void {
    const { line } = this;
    this.records += records;
    this.writeJson(JSON_EVERY_MS);
    line?.show(() => {
      const share = this.total === 0 ? 0 : Math.min(1, this.bytes / this.total);
      const time = new Date(at).toISOString().slice(0, 19);
      const rate = line.perSecond(this.records);
      return `${bar(share)} ${Math.floor(share * 100)} %, at ${time}Z, ${counted(this.records, 'record')}, ${rate} records/s`;
    });
  }

  ended(): void {
    this.writeJson(0);
    this.line?.end();
  }

  private writeJson(every: number): void {
    const now = performance.now();
    if (this.json === undefined || now - this.writtenAt < every) return;
    this.writtenAt = now;
    const { bytes, total, records } = this;
    this.json.write(`${JSON.stringify({ progress: { bytes, total, records } })}\n`);
  }
}
