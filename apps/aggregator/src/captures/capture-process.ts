import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CaptureFailure } from './capture-report.js';
import { ReaderOutput, type ReaderSummary } from './reader-output.js';

export interface CaptureProcessOptions {
  /** Path of the program. Default: reader-main.ts. */
  readonly reader?: string | undefined;
  readonly collector: string;
  /** Authorities for the certificate of the collector (PEM file), if they are not those of the sender. */
  readonly caFile?: string | undefined;
  /** Certificates of which the collector must have one, PEM; left out: its names and its authority are checked. */
  readonly pinned?: { readonly current: string } | undefined;
  readonly seconds: number;
  readonly memoryMb: number;
}

/** What is read, and for whom. */
export interface CaptureToRead {
  readonly file: string;
  readonly frontEnd: string;
  /** For the collector. */
  readonly ticket: string;
}

export interface Failure {
  readonly code: CaptureFailure;
  readonly reason: string;
}

const READER = fileURLToPath(new URL('./reader-main.js', import.meta.url));
/** Settings of the connection to the collector. */
const INHERITED = [
  'PATH',
  'VENDOR_PROFILE',
  'TRACE',
  'TRACE_RTCP',
  'TRACE_QUEUE_LEN',
  'SUBMIT_CA_FILE',
  'SUBMIT_PINNED_CERT',
  'SUBMIT_CLIENT_CERT',
  'SUBMIT_CLIENT_KEY',
];

/** Reads one capture in a process of its own, with limits of time and memory: foreign bytes cannot harm this one. */
export class CaptureProcess {
  readonly output = new ReaderOutput();
  private readonly child: ChildProcess;
  private readonly timer: NodeJS.Timeout;
  private isTooSlow = false;
  /** Resolves with why it failed; undefined after success. */
  readonly ended: Promise<Failure | undefined>;

  constructor(
    { file, frontEnd, ticket }: CaptureToRead,
    private readonly options: CaptureProcessOptions,
  ) {
    const { reader = READER, collector, caFile, pinned, memoryMb, seconds } = options;
    const heap = `--max-old-space-size=${memoryMb}`;
    const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
    const env = {
      ...inherited,
      ...(caFile !== undefined && { SUBMIT_CA_FILE: caFile }),
      ...(pinned !== undefined && { PINNED_CERTIFICATES: pinned.current }),
      UPLOAD_TICKET: ticket,
    };
    this.child = spawn(process.execPath, [heap, reader, file, collector, frontEnd], {
      env,
      // It ends when its input does, which is never written to: also if this process is killed.
      stdio: ['pipe', 'pipe', 'ignore'],
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

  private async failure(): Promise<Failure | undefined> {
    try {
      await once(this.child, 'close');
    } catch {
      return { code: 'reader-not-started', reason: 'The process that reads captures could not be started.' };
    } finally {
      clearTimeout(this.timer);
    }
    const { seconds, memoryMb } = this.options;
    if (this.isTooSlow) {
      return { code: 'too-slow', reason: `Reading took longer than ${seconds} seconds (CAPTURE_SECONDS).` };
    }
    const { summary } = this.output;
    if (summary !== undefined) return failureIn(summary);
    const how = this.child.signalCode ?? `exit code ${this.child.exitCode}`;
    const limit = `its memory is limited to ${memoryMb} MB (CAPTURE_MEMORY_MB)`;
    return { code: 'reader-ended', reason: `The process that reads captures ended early (${how}); ${limit}.` };
  }
}

function failureIn(summary: ReaderSummary): Failure | undefined {
  const { error, records, recordsFailed, problems } = summary;
  if (error !== undefined) return { code: 'no-collector', reason: error };
  // A capture of registrations only has no calls, and is one all the same.
  const outsideOfCalls = summary.failedRequestsTotal + summary.succeededRegistrations;
  if (records === 0 && outsideOfCalls > 0) return undefined;
  if (records === 0) {
    const [first] = problems;
    const reason = problems.map((each) => each.reason).join('; ');
    return { code: first?.code ?? 'nothing-to-send', reason: reason || 'The capture contains no calls.' };
  }
  if (recordsFailed === 0) return undefined;
  return {
    code: 'records-not-accepted',
    reason: `The collector did not accept ${recordsFailed} of ${records} records.`,
  };
}
