import { createWriteStream, type WriteStream } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { LOG_MODE, LogFiles } from './log-files.js';
import { dayOf, LogRetention } from './log-retention.js';

export interface TextLogOptions {
  readonly folder: string;
  /** Files are `name-2026-01-31.log`, `name-2026-01-31.1.log` and so on; days are those of UTC. */
  readonly name: string;
  readonly maxBytes?: number;
  /** Files of days before that many are deleted: at the start, and when a day begins. Left out: none are. */
  readonly keepDays?: number;
  /** The file could not be written; nothing is thrown for it. */
  readonly onProblem: (message: string) => void;
  readonly now?: () => Date;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed?: () => number;
}

const MAX_BYTES = 10 * 1_024 * 1_024;
/** What may wait for a slow disk; lines beyond it are left out and counted. */
const WAITING_LIMIT = 8 * 1_024 * 1_024;
/** How long a file that refused is left alone. */
const RETRY_MS = 1_000;

/** Text in files, a new one each day and whenever one has 10 MB (spec, "Diagnostics feed"). */
export class TextLog {
  private stream: WriteStream | undefined;
  /** Files that get no more lines, and have not taken all of theirs yet. */
  private readonly ending = new Set<WriteStream>();
  private readonly files: LogFiles;
  private readonly retention: LogRetention | undefined;
  private day = '';
  private part = 0;
  private bytes = 0;
  private left = 0;
  private openedAt = 0;
  private readonly maxBytes: number;
  private readonly now: () => Date;
  private readonly elapsed: () => number;

  /** Throws LogFolderError where nothing can be written. */
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

  /** Lines that were left out because the disk was too slow or refused. */
  get leftOut(): number {
    return this.left;
  }

  /** Fields of one line; the time is put in front of them. They must hold no tabs and line ends. */
  write(...fields: readonly string[]): void {
    const now = this.now();
    const line = `${[now.toISOString(), ...fields].join('\t')}\n`;
    const stream = this.usable(now, Buffer.byteLength(line));
    if (!stream || stream.errored || stream.writableLength > WAITING_LIMIT) this.left++;
    else stream.write(line);
  }

  /** Deletes what is old, also when there are no new lines, and notices when somebody deletes more. To be called now and then. */
  sweep(): void {
    this.orProblem(() => this.retention?.sweep());
    if (!this.stream || this.stream.pending || this.stream.errored || this.files.has(this.day, this.part)) return;
    this.options.onProblem(`the log file ${this.files.path(this.day, this.part)} was deleted and is created again`);
    this.endFile();
    this.day = '';
  }

  /** Resolves when everything is in its file. */
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
    return this.orProblem(() => this.streamFor(now, length));
  }

  private orProblem<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const reason = isNativeError(error) ? error.message : String(error);
      this.options.onProblem(`the log folder cannot be used: ${reason}`);
      return undefined;
    }
  }

  private streamFor(now: Date, length: number): WriteStream {
    const day = dayOf(now.getTime());
    const isNewDay = day !== this.day;
    if (isNewDay) this.files.makeFolder();
    if (!this.stream || isNewDay || this.wantsNewFile(length)) {
      this.endFile();
      this.stream = this.open(day, isNewDay ? this.files.lastPart(day) : this.part + 1, length);
    } else if (this.stream.errored && this.elapsed() - this.openedAt >= RETRY_MS) {
      this.stream = this.open(day, this.part, length);
      // What came last may have been cut off in the middle.
      this.stream.write('\n');
    }
    this.bytes += length;
    return this.stream;
  }

  private wantsNewFile(length: number): boolean {
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
