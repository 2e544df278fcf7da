import type { Logger } from '@ringdown/observability';
import { InterfaceError } from '@ringdown/web-server';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { queryErrors } from '../errors.js';
import { storeCapture } from './capture-file.js';
import { CaptureFolder } from './capture-folder.js';
import { CaptureProcess, type CaptureProcessOptions } from './capture-process.js';

/** What operators see of a capture. */
export interface CaptureReport {
  readonly id: string;
  readonly frontEnd: string;
  readonly state: 'reading' | 'done' | 'failed';
  /** Of the file as it was sent. */
  readonly size: number;
  readonly bytesRead: number;
  readonly records: number;
  /** Null until it is read. */
  readonly calls: number | null;
  /** Calls that the version of the records cannot express. */
  readonly unreportedCalls: number;
  readonly unread: readonly { readonly count: number; readonly reason: string }[];
  readonly reason: string | null;
}

export interface CapturesOptions extends CaptureProcessOptions {
  readonly maxBytes: number;
  readonly atOnce: number;
  readonly logger: Logger;
}

interface Capture {
  readonly frontEnd: string;
  readonly size: number;
  readonly process: CaptureProcess;
  state: CaptureReport['state'];
  reason: string | null;
}

/** Reports that are kept; the oldest is forgotten. */
const KEPT = 100;
const RETRY_SECONDS = '10';

/** The captures that operators sent to this process, while they are read and some time after. */
export class Captures {
  private readonly captures = new Map<string, Capture>();
  private readonly folder = new CaptureFolder();
  private running = 0;
  private isClosed = false;

  constructor(private readonly options: CapturesOptions) {}

  /** Receives a capture and starts to read it. `body` is called when there is room for it, with its largest size. */
  async add(frontEnd: string, body: (maxBytes: number) => Readable): Promise<CaptureReport> {
    const { atOnce, maxBytes } = this.options;
    if (this.isClosed || this.running >= atOnce) {
      throw new InterfaceError(queryErrors.tooManyCaptures, { headers: { 'retry-after': RETRY_SECONDS } });
    }
    this.running++;
    const id = randomBytes(8).toString('hex');
    try {
      const file = join(await this.folder.path(), id);
      const size = await storeCapture(body(maxBytes), file, maxBytes);
      if (this.isClosed) throw new InterfaceError(queryErrors.tooManyCaptures);
      const process = new CaptureProcess(file, frontEnd, this.options);
      const capture: Capture = { frontEnd, size, process, state: 'reading', reason: null };
      this.captures.set(id, capture);
      void this.follow(capture, file);
    } catch (error) {
      this.running--;
      throw error;
    }
    this.forgetOldest();
    return this.report(id);
  }

  /** The newest first. */
  list(): readonly CaptureReport[] {
    return [...this.captures.keys()].toReversed().map((id) => this.report(id));
  }

  report(id: string): CaptureReport {
    const { frontEnd, size, state, reason, process } = this.find(id);
    const { progress, summary } = process.output;
    return {
      id,
      frontEnd,
      state,
      size,
      bytesRead: progress.bytes,
      records: summary?.records ?? progress.records,
      calls: summary?.calls ?? null,
      unreportedCalls: summary?.unreportedCalls ?? 0,
      unread: summary?.problems ?? [],
      reason,
    };
  }

  /** Stops reading and forgets the capture. Records that were sent stay. */
  async remove(id: string): Promise<void> {
    const { process } = this.find(id);
    this.captures.delete(id);
    process.kill();
    await process.ended;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { process } of this.captures.values()) process.kill();
    await Promise.all([...this.captures.values()].map(({ process }) => process.ended));
    await this.folder.remove();
  }

  private async follow(capture: Capture, file: string): Promise<void> {
    const reason = await capture.process.ended;
    capture.state = reason === undefined ? 'done' : 'failed';
    capture.reason = reason ?? null;
    this.running--;
    const { logger } = this.options;
    const { frontEnd, size, state } = capture;
    logger.info({ frontEnd, size, state, reason }, 'capture of an operator has been read');
    await rm(file, { force: true }).catch((error: unknown) =>
      logger.error({ err: error }, 'could not delete a capture'),
    );
  }

  private find(id: string): Capture {
    const capture = this.captures.get(id);
    if (capture === undefined) throw new InterfaceError(queryErrors.noSuchCapture);
    return capture;
  }

  private forgetOldest(): void {
    for (const [id, { state }] of this.captures) {
      if (this.captures.size <= KEPT) return;
      if (state !== 'reading') this.captures.delete(id);
    }
  }
}
