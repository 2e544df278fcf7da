import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';

export interface TextLogOptions {
  readonly folder: string;
  /** Files are `name-2026-01-31.log`, `name-2026-01-31.1.log` and so on; days are those of UTC. */
  readonly name: string;
  readonly maxBytes?: number;
  /**
   * Files of days before that many are deleted, once there are files of as many later days: a clock that jumps ahead
   * makes no log old. Left out: none are.
   */
  readonly keepDays?: number;
  /** The file could not be written; nothing is thrown for it. */
  readonly onProblem: (message: string) => void;
  readonly now?: () => Date;
}

const MAX_BYTES = 10 * 1_024 * 1_024;
/** What may wait for a slow disk; lines beyond it are left out and counted. */
const WAITING_LIMIT = 8 * 1_024 * 1_024;
const DAY_MS = 86_400_000;

/** Text in files, a new one each day and whenever one has 10 MB (spec, "Diagnostics feed"). */
export class TextLog {
  private stream: WriteStream | undefined;
  /** Files that get no more lines, and have not taken all of theirs yet. */
  private readonly ending = new Set<WriteStream>();
  private day = '';
  private part = 0;
  private bytes = 0;
  private left = 0;
  private readonly maxBytes: number;
  private readonly now: () => Date;

  constructor(private readonly options: TextLogOptions) {
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
    this.now = options.now ?? ((): Date => new Date());
    mkdirSync(options.folder, { recursive: true });
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
    try {
      return this.streamFor(now, length);
    } catch (error) {
      const reason = isNativeError(error) ? error.message : String(error);
      this.options.onProblem(`the folder of logs cannot be used: ${reason}`);
      return undefined;
    }
  }

  private streamFor(now: Date, length: number): WriteStream {
    const day = now.toISOString().slice(0, 10);
    const isNewDay = day !== this.day;
    if (!this.stream || isNewDay || (this.bytes > 0 && this.bytes + length > this.maxBytes)) {
      this.endFile();
      this.stream = this.open(day, isNewDay ? this.lastPart(day) : this.part + 1, length);
      if (isNewDay) this.deleteOld(now);
    }
    this.bytes += length;
    return this.stream;
  }

  private open(day: string, part: number, length: number): WriteStream {
    const { onProblem } = this.options;
    const size = sizeOf(this.fileOf(day, part));
    const isFull = size > 0 && size + length > this.maxBytes;
    const [at, bytes] = isFull ? [part + 1, 0] : [part, size];
    [this.day, this.part, this.bytes] = [day, at, bytes];
    const stream = createWriteStream(this.fileOf(day, at), { flags: 'a', mode: 0o640 });
    stream.on('error', (error) => onProblem(`the log ${this.fileOf(day, at)} cannot be written: ${error.message}`));
    return stream;
  }

  private fileOf(day: string, part: number): string {
    return join(this.options.folder, `${this.options.name}-${day}${part === 0 ? '' : `.${part}`}.log`);
  }

  /** A sender that was started again goes on where it was. */
  private lastPart(day: string): number {
    return Math.max(0, ...this.files().flatMap((file) => (file.day === day ? file.part : [])));
  }

  private deleteOld(now: Date): void {
    const { folder, keepDays } = this.options;
    if (keepDays === undefined) return;
    const oldest = new Date(now.getTime() - keepDays * DAY_MS).toISOString().slice(0, 10);
    const files = this.files();
    const daysBefore = [...new Set(files.map(({ day }) => day))].filter((day) => day < this.day).toSorted();
    const kept = daysBefore.slice(-keepDays);
    for (const { file, day } of files) {
      if (day < oldest && !kept.includes(day)) rmSync(join(folder, file), { force: true });
    }
  }

  private files(): { readonly file: string; readonly day: string; readonly part: number }[] {
    const pattern = /^(.*)-(\d{4}-\d{2}-\d{2})(?:\.(\d{1,6}))?\.log$/;
    return readdirSync(this.options.folder).flatMap((file) => {
      const [, name, day, part = '0'] = pattern.exec(file) ?? [];
      return name === this.options.name && day !== undefined ? { file, day, part: Number(part) } : [];
    });
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
