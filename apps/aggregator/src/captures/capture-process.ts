import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReaderOutput } from './reader-output.js';

export interface CaptureProcessOptions {
  /** Path of the program. Default: reader-main.ts. */
  readonly reader?: string | undefined;
  readonly collector: string;
  readonly seconds: number;
  readonly memoryMb: number;
}

const READER = fileURLToPath(new URL('./reader-main.js', import.meta.url));
/** Settings of the connection to the collector. */
const INHERITED = ['PATH', 'VENDOR_PROFILE', 'SUBMIT_CA_FILE', 'SUBMIT_CLIENT_CERT', 'SUBMIT_CLIENT_KEY'];

/** Reads one capture in a process of its own, with limits of time and memory: foreign bytes cannot harm this one. */
export class CaptureProcess {
  readonly output = new ReaderOutput();
  private readonly child: ChildProcess;
  private readonly timer: NodeJS.Timeout;
  private isTooSlow = false;
  /** Resolves with why it failed; undefined after success. */
  readonly ended: Promise<string | undefined>;

  constructor(
    file: string,
    frontEnd: string,
    private readonly options: CaptureProcessOptions,
  ) {
    const { reader = READER, collector, memoryMb, seconds } = options;
    const heap = `--max-old-space-size=${memoryMb}`;
    const env = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
    this.child = spawn(process.execPath, [heap, reader, file, collector, frontEnd], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.output.add(text));
    this.timer = setTimeout(() => {
      this.isTooSlow = true;
      this.kill();
    }, seconds * 1_000);
    this.ended = this.failure();
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private async failure(): Promise<string | undefined> {
    try {
      await once(this.child, 'close');
    } catch {
      return 'The process that reads captures could not be started.';
    } finally {
      clearTimeout(this.timer);
    }
    const { seconds, memoryMb } = this.options;
    if (this.isTooSlow) return `Reading took longer than ${seconds} seconds (CAPTURE_SECONDS).`;
    const { summary } = this.output;
    const { signalCode, exitCode } = this.child;
    if (summary === undefined) {
      const how = signalCode ?? `exit code ${exitCode}`;
      return `The process that reads captures ended early (${how}); its memory is limited to ${memoryMb} MB (CAPTURE_MEMORY_MB).`;
    }
    if (summary.error !== undefined) return summary.error;
    if (summary.records === 0) {
      return summary.problems.map(({ reason }) => reason).join('; ') || 'The capture contains no calls.';
    }
    const { recordsFailed, records } = summary;
    return recordsFailed > 0 ? `The collector did not accept ${recordsFailed} of ${records} records.` : undefined;
  }
}
