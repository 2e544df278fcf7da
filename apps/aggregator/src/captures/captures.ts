import { NOTHING_PLAYED, type PlayedFindings } from '@ringdown/call-capture/played-findings';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { InterfaceError } from '@ringdown/web-server/errors';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryErrors } from '../errors.js';
import { storeCapture } from './capture-file.js';
import { CaptureFolder } from './capture-folder.js';
import { CaptureProcess, type CaptureProcessOptions, type Failure } from './capture-process.js';
import type { CaptureReport } from './capture-report.js';
import type { CaptureReports } from './capture-reports.js';
import type { UploadTickets } from './upload-tickets.js';

export interface CapturesOptions extends CaptureProcessOptions {
  readonly maxBytes: number;
  readonly atOnce: number;
  readonly tickets: Pick<UploadTickets, 'issue'>;
  readonly logger: Logger;
}

/** Who uploaded a capture, and the front end of its calls. */
export type CaptureSource = Pick<CaptureReport, 'uploader' | 'frontEnd'>;

interface Capture extends CaptureSource {
  readonly id: string;
  readonly receivedAt: number;
  readonly size: number;
  readonly process: CaptureProcess;
  failure: Failure | undefined;
  isOver: boolean;
  isForgotten: boolean;
}

const RETRY_SECONDS = '10';
const PUBLISH_MS = 1_000;

/** The captures that operators send: those that this process reads, and the reports about all. */
export class Captures {
  /** Those that are read here, and those whose result the bus does not have yet. */
  private readonly captures = new Map<string, Capture>();
  private readonly folder = new CaptureFolder();
  private readonly stopFollowing: () => void;
  private running = 0;
  private isClosed = false;

  constructor(
    private readonly options: CapturesOptions,
    private readonly reports: CaptureReports,
  ) {
    this.stopFollowing = reports.onDeleted(options.logger, (id) => this.forget(id));
  }

  /** Receives a capture and starts to read it. `body` is called when there is room for it, with its largest size. */
  async add(source: CaptureSource, body: (maxBytes: number) => Readable): Promise<CaptureReport> {
    const { atOnce, maxBytes } = this.options;
    if (this.isClosed || this.running >= atOnce) {
      throw new InterfaceError(queryErrors.tooManyCaptures, { headers: { 'retry-after': RETRY_SECONDS } });
    }
    this.running++;
    const id = randomBytes(8).toString('hex');
    let file: string | undefined;
    try {
      file = join(await this.folder.path(), id);
      const size = await storeCapture(body(maxBytes), file, maxBytes);
      if (this.isClosed) throw new InterfaceError(queryErrors.tooManyCaptures);
      return await this.start({ ...source, id, size, receivedAt: Date.now() }, file);
    } catch (error) {
      this.running--;
      if (file !== undefined) await rm(file, { force: true });
      throw error;
    }
  }

  /** The newest first. */
  async list(): Promise<readonly CaptureReport[]> {
    const reports = await this.reports.list();
    return reports.map((report) => this.own(report.id) ?? report);
  }

  async report(id: string): Promise<CaptureReport> {
    const report = this.own(id) ?? (await this.reports.find(id));
    if (report === undefined) throw new InterfaceError(queryErrors.noSuchCapture);
    return report;
  }

  /** Stops reading and forgets the capture, in whatever replica. Records that were sent stay. */
  async remove(id: string): Promise<void> {
    await this.report(id);
    const own = this.captures.get(id);
    this.forget(id);
    await this.reports.delete(id);
    await own?.process.ended;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopFollowing();
    for (const { process } of this.captures.values()) process.kill();
    await Promise.all([...this.captures.values()].map(({ process }) => process.ended));
    await this.folder.remove();
  }

  private async start(received: Received, file: string): Promise<CaptureReport> {
    const { id, frontEnd } = received;
    // Other replicas must know it before the client asks them.
    await this.reports.add(reportOf(received));
    const { tickets, seconds } = this.options;
    const ticket = tickets.issue(frontEnd, seconds);
    const process = new CaptureProcess({ file, frontEnd, ticket }, this.options);
    const capture = { ...received, process, failure: undefined, isOver: false, isForgotten: false };
    this.captures.set(id, capture);
    void this.follow(capture, file);
    return reportOf(capture);
  }

  private own(id: string): CaptureReport | undefined {
    const capture = this.captures.get(id);
    return capture && reportOf(capture);
  }

  private forget(id: string): void {
    const capture = this.captures.get(id);
    if (capture === undefined) return;
    this.captures.delete(id);
    capture.isForgotten = true;
    capture.process.kill();
  }

  private async follow(capture: Capture, file: string): Promise<void> {
    const { logger } = this.options;
    const publishing = this.publish(capture);
    capture.failure = await capture.process.ended;
    capture.isOver = true;
    this.running--;
    const { id, uploader, frontEnd, size, failure } = capture;
    logger.info({ captureId: id, uploader, frontEnd, size, ...failure }, 'capture of an operator has been read');
    await rm(file, { force: true }).catch((error: unknown) =>
      logger.error({ err: error }, 'could not delete a capture'),
    );
    await publishing;
  }

  /** Until the bus has the result: it may be away for a while. */
  private async publish(capture: Capture): Promise<void> {
    let published = '';
    while (!this.isClosed && !capture.isForgotten) {
      const { isOver } = capture;
      const report = reportOf(capture);
      const text = JSON.stringify(report);
      if (text !== published && (await this.isPublished(report))) published = text;
      if (isOver && text === published) {
        this.captures.delete(capture.id);
        return;
      }
      const pause = sleep(PUBLISH_MS, undefined, { ref: false });
      await (isOver ? pause : Promise.race([capture.process.ended, pause]));
    }
  }

  private async isPublished(report: CaptureReport): Promise<boolean> {
    try {
      if (!(await this.reports.replace(report))) this.forget(report.id);
      return true;
    } catch (error) {
      this.options.logger.debug({ reason: errorReason(error) }, 'the report about a capture could not be stored yet');
      return false;
    }
  }
}

type Received = Pick<Capture, 'id' | 'uploader' | 'frontEnd' | 'size' | 'receivedAt'>;

function reportOf({ id, uploader, frontEnd, size, receivedAt, ...own }: Received & Partial<Capture>): CaptureReport {
  const { process, failure, isOver = false } = own;
  return {
    id,
    uploader,
    frontEnd,
    state: isOver ? (failure ? 'failed' : 'done') : 'reading',
    receivedAt,
    size,
    bytesRead: process?.output.progress.bytes ?? 0,
    ...findings(process?.output),
    code: failure?.code ?? null,
    reason: failure?.reason ?? null,
  };
}

type Findings = PlayedFindings & Pick<CaptureReport, 'packets' | 'records' | 'calls' | 'callIds' | 'unread'>;

/** So far, or at the end. */
function findings(output: CaptureProcess['output'] | undefined): Findings {
  if (output?.summary !== undefined) {
    const { recordsFailed: _failed, error: _error, problems, ...found } = output.summary;
    return { ...found, unread: problems };
  }
  const { packets, records } = output?.progress ?? { packets: 0, records: 0 };
  return { packets, records, calls: null, callIds: [], ...NOTHING_PLAYED, unread: [] };
}
