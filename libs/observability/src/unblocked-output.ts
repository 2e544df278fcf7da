import { constants, openSync, writeSync } from 'node:fs';

/** Between two attempts while nothing can be written. */
const RETRY_MS = 50;
/** What is kept meanwhile; further lines are counted and dropped. */
const KEPT_BYTES = 4_000_000;
/** Whoever stops a process must not wait for a terminal whose output is stopped. */
const END_MS = 5_000;

/**
 * Standard error, without waiting for who reads it: what does not fit into a pipe, socket or terminal is kept, and written
 * when there is room, at the latest at the end of the process.
 */
export class UnblockedOutput {
  private readonly fd = unblockedDescriptor();
  private waiting: Buffer[] = [];
  private bytes = 0;
  private dropped = 0;
  private retry: NodeJS.Timeout | undefined;

  constructor() {
    process.on('exit', () => this.writeAll());
  }

  write(text: string): void {
    const line = Buffer.from(text);
    if (this.bytes + line.length > KEPT_BYTES) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(line);
    this.bytes += line.length;
    if (this.retry === undefined) this.writeWaiting();
  }

  private writeWaiting(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    while (this.bytes > 0) {
      const all = Buffer.concat(this.waiting);
      const written = this.writeSome(all);
      this.waiting = [all.subarray(written)];
      this.bytes -= written;
      if (written === 0) {
        this.retry = setTimeout(() => this.writeWaiting(), RETRY_MS).unref();
        return;
      }
    }
    if (this.dropped === 0) return;
    const lines = this.dropped;
    this.dropped = 0;
    this.write(`${lines} lines of the log were dropped while nobody read it\n`);
  }

  /** How much was written. */
  private writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.fd, bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
      // The reader is gone, or the disk is full: there is no other place to write to.
      return bytes.length;
    }
  }

  private writeAll(): void {
    const end = Date.now() + END_MS;
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (this.writeWaiting(); this.bytes > 0 && Date.now() < end; this.writeWaiting()) Atomics.wait(never, 0, 0, 5);
  }
}

/** Writing to it fails while it is full, instead of waiting. */
function unblockedDescriptor(): number {
  // For pipes and sockets this is how Node opens process.stderr, until it ends. It leaves a terminal blocking.
  if (!process.stderr.isTTY) return 2;
  try {
    // Opened again, as the mode of descriptor 2 is also that of other programs at this terminal.
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Not on Linux, or the terminal is that of another user.
    return 2;
  }
}
