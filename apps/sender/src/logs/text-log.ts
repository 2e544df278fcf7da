import { errorReason } from '@ringdown/errors';
import { createWriteStream, type WriteStream } from 'node:fs';
import { LOG_MODE, LogFiles } from './log-files.js';
import { dayOf, LogRetention } from './log-retention.js';

export interface TextLogOptions {
  readonly folder: string;
  /** Files are `name-2026-01-31.log`, `name-2026-01-31.1.log` and so on; days are those of UTC. */
  readonly name: string;
  readonly maxBytes?: number;
  /** Files older than this many days are deleted, at the start and when a day begins. Left out: none are. */
  readonly keepDays?: number;
  /** The file could not be written; reported only here, not thrown. */
  readonly onProblem: (message: string) => void;
  readonly now?: () => Date;
  /** A monotonic clock, milliseconds. */
  readonly elapsed?: () => number;
}

const MAX_BYTES = 10 * 1_024 * 1_024;
/** Bytes that may wait for a slow disk; further lines are dropped and counted. */
const WAITING_LIMIT = 8 * 1_024 * 1_024;
/** Pause before a file that failed is opened again. */
const RETRY_MS = 1_000;

/** A log in text files, a new one each day and after 10 MB (diagnostics-feed.md, 4.6). */
export class TextLog {
  private stream: WriteStream | undefined;
  /** Streams that are being flushed and closed. */
  private readonly ending = new Set<WriteStream>();
  private readonly files: LogFiles;
  private readonly retention: LogRetention | undefined;
  private day = '';
  private part = 0;
  private bytes = 0;
  private dropped = 0;
  private openedAt = 0;
  private readonly maxBytes: number;
  private readonly now: () => Date;
  private readonly elapsed: () => number;

  /** Throws LogFolderError if nothing can be written. */
  constructor(private readonly options: TextLogOptions) {
    const { folder, name, keepDays, maxBytes = MAX_BYTES } = options;
    this.maxBytes = maxBytes;
    this.now = options.now ?? ((): Date => new Date());
    this.elapsed = options.elapsed ?? performance.now.bind(performance);
    const { now, elapsed } = this;
    this.files = new LogFiles(folder, name);
    this.files.prepare(dayOf(now().getTime()));
    this.retention =
      keepDays === undefined ? undefined : new LogRetention({ files: this.files, keepDays, now, elapsed });
    this.sweep();
  }

  /** Lines that were dropped because the disk was too slow or failed. */
  get droppedLines(): number {
    return this.dropped;
  }

  /** Fields of one line, without tabs and line ends; the time is added in front. */
  write(...fields: readonly string[]): void {
    const now = this.now();
    const line = `${[now.toISOString(), ...fields].join('\t')}\n`;
    const stream = this.usable(now, Buffer.byteLength(line));
    if (!stream || stream.errored || stream.writableLength > WAITING_LIMIT) this.dropped++;
    else stream.write(line);
  }

  /** Deletes old files, even without new lines, and notices when the current file was deleted. Call it at short intervals. */
  sweep(): void {
    this.reportingErrors(() => this.retention?.sweep());
    if (!this.stream || this.stream.pending || this.stream.errored || this.files.has(this.day, this.part)) return;
    this.options.onProblem(`the log file ${this.files.path(this.day, this.part)} was deleted and is created again`);
    this.endFile();
    this.day = '';
  }

  /** Resolves when all lines are written. */
  async close(): Promise<void> {
    this.endFile();
    this.day = '';
    await Promise.all([...this.ending].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))));
  }

  private endFile(): void {
    const { stream, ending } = this;
    this.stream = undefined;
    if (!stream || stream.closed) return;
    ending.add(stream);
    stream.once('close', () => ending.delete(stream)).end();
  }

  private usable(now: Date, length: number): WriteStream | undefined {
    return this.reportingErrors(() => this.streamFor(now, length));
  }

  private reportingErrors<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const reason = errorReason(error);
      this.options.onProblem(`the log folder cannot be used: ${reason}`);
      return undefined;
    }
  }

  private streamFor(now: Date, length: number): WriteStream {
    const day = dayOf(now.getTime());
    const isNewDay = day !== this.day;
    if (isNewDay) this.files.makeFolder();
    if (!this.stream || isNewDay || this.needsNewFile(length)) {
      this.endFile();
      this.stream = this.open(day, isNewDay ? this.files.lastPart(day) : this.part + 1, length);
    } else if (this.stream.errored && this.elapsed() - this.openedAt >= RETRY_MS) {
      this.stream = this.open(day, this.part, length);
      // The last line may be incomplete.
      this.stream.write('\n');
    }
    this.bytes += length;
    return this.stream;
  }

  private needsNewFile(length: number): boolean {
    return this.bytes > 0 && this.bytes + length > this.maxBytes;
  }

  private open(day: string, part: number, length: number): WriteStream {
    const { onProblem } = this.options;
    const size = this.files.sizeOf(day, part);
    const isFull = size > 0 && size + length > this.maxBytes;
    const [at, bytes] = isFull ? [part + 1, 0] : [part, size];
    [this.day, this.part, this.bytes, this.openedAt] = [day, at, bytes, this.elapsed()];
    const file = this.files.path(day, at);
    const stream = createWriteStream(file, { flags: 'a', mode: LOG_MODE });
    stream.on('error', (error) => onProblem(`the log file ${file} cannot be written: ${error.message}`));
    return stream;
  }
}
