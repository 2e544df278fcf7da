import { NOTHING_PLAYED, OutputVersionChoice, PlayedFeed } from '@ringdown/call-capture';
import {
  unpackedFileBytes,
  FileProblems,
  identifySource,
  readCapture,
  requireCapture,
  SourceError,
  type CaptureEntry,
  type ReadProgress,
  type SourceFile,
} from '@ringdown/call-capture/files';
import {
  NoCollector,
  openFeeds,
  TraceSender,
  type Delivery,
  type FeedConnection,
  type FeedsOptions,
} from '@ringdown/feed-client';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_CALL_IDS } from './capture-report.js';
import type { ReaderProgress, ReaderSummary } from './reader-output.js';

export interface SendCaptureOptions extends Omit<FeedsOptions, 'onConfiguration'> {
  readonly file: string;
  readonly frontEnd: string;
  /** Left out: messages of calls are not sent. */
  readonly tracing?: { readonly rtcp: boolean; readonly queueLength: number };
  /** Called twice a second and at the end. */
  readonly onProgress: (progress: ReaderProgress) => void;
  /** Before each try after an outage. Default: {@link RETRY_PAUSES_MS}. */
  readonly retryPausesMs?: readonly number[];
}

export const NOTHING_SENT: ReaderSummary = {
  packets: 0,
  calls: 0,
  callIds: [],
  records: 0,
  recordsFailed: 0,
  ...NOTHING_PLAYED,
  problems: [],
};

const PROGRESS_EVERY_MS = 500;
/** How long the messages of calls that still wait may take at the end, and in between. */
const LAST_MESSAGES_MS = 10_000;
const BEHIND_MS = 5_000;
/** A collector that restarts is back in less than a minute. */
const RETRY_PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 20_000];
/** Statuses of a collector that works but is busy. */
const BUSY: ReadonlySet<number> = new Set([408, 429]);

/**
 * Sends the calls in a capture to a collector. Throws `NoCollector` when none answers at the beginning; connects to none when the
 * file cannot be read. After an outage it starts again with the first record: the aggregator knows copies by their text, which
 * contains the number of the record in its connection.
 */
export async function sendCapture(options: SendCaptureOptions): Promise<ReaderSummary> {
  const source = await captureIn(options.file);
  if (typeof source === 'string')
    return { ...NOTHING_SENT, problems: [{ code: 'not-a-capture', count: 0, reason: source }] };
  let summary = await sendOnce(source, options);
  for (const pause of options.retryPausesMs ?? RETRY_PAUSES_MS) {
    if (summary.error === undefined) break;
    await sleep(pause);
    summary = await sendAgain(source, options, summary);
  }
  return summary;
}

async function sendAgain(source: SourceFile, options: SendCaptureOptions, last: ReaderSummary): Promise<ReaderSummary> {
  try {
    return await sendOnce(source, options);
  } catch (error) {
    if (!(error instanceof NoCollector)) throw error;
    return last;
  }
}

async function sendOnce(source: SourceFile, options: SendCaptureOptions): Promise<ReaderSummary> {
  const version = new OutputVersionChoice(undefined);
  const onConfiguration = (configuration: string): void => void version.onConfiguration(configuration);
  const feeds = await openFeeds([options.frontEnd], { ...options, onConfiguration });
  try {
    const connection = feeds.get(options.frontEnd);
    if (connection === undefined) throw new Error('no feed was opened');
    return await new CaptureSender(options, { connection, version, problems: new FileProblems() }).send(source);
  } finally {
    for (const connection of feeds.values()) connection.close();
  }
}

/** Or why it is none. */
async function captureIn(file: string): Promise<SourceFile | string> {
  try {
    return requireCapture(await identifySource(file));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.message;
  }
}

function summaryProblems(problems: FileProblems): ReaderSummary['problems'] {
  return problems.list.map(({ unreadable, reason, isKind }) => {
    const code = isKind ? 'unsupported-packets' : unreadable === 0 ? 'nothing-to-send' : 'unreadable-packets';
    return { code, count: unreadable, reason };
  });
}

interface SenderParts {
  readonly connection: FeedConnection;
  readonly version: OutputVersionChoice;
  readonly problems: FileProblems;
}

class CaptureSender {
  private readonly feed: PlayedFeed;
  private readonly calls = new Set<string>();
  private readonly read = { bytes: 0, packets: 0 } satisfies ReadProgress;
  private pending: DiagnosticsRecord[] = [];
  private place = '';
  private readonly traceSender: TraceSender | undefined;

  constructor(
    private readonly options: SendCaptureOptions,
    private readonly parts: SenderParts,
  ) {
    const { frontEnd, file, tracing, address } = options;
    this.traceSender =
      tracing && new TraceSender({ ...options, ...tracing, address: () => address, onOutcome: notReported });
    this.feed = new PlayedFeed({
      frontEnd,
      messages: tracing && {
        rtcp: tracing.rtcp,
        onMessage: (message) => this.traceSender?.add(message),
        onTooLarge: notReported,
      },
      version: parts.version,
      onRecord: (record) => this.pending.push(record),
      onRejected: (message) => parts.problems.add(file, `${this.place}: ${message}`),
    });
  }

  async send(source: SourceFile): Promise<ReaderSummary> {
    const timer = setInterval(() => this.options.onProgress(this.progress), PROGRESS_EVERY_MS);
    try {
      const error = await this.sendAll(source);
      return { ...this.summary, ...(error !== undefined && { error }) };
    } finally {
      clearInterval(timer);
      await this.traceSender?.settle(LAST_MESSAGES_MS);
      this.traceSender?.close();
      this.options.onProgress(this.progress);
    }
  }

  private get progress(): ReaderProgress {
    return { ...this.read, records: this.parts.connection.counts.sent };
  }

  private get summary(): ReaderSummary {
    const { sent, answered } = this.parts.connection.counts;
    return {
      packets: this.read.packets,
      calls: this.calls.size,
      callIds: [...this.calls].slice(0, MAX_CALL_IDS),
      records: sent,
      recordsFailed: sent - answered,
      ...this.feed.findings,
      problems: summaryProblems(this.parts.problems),
    };
  }

  /** Resolves with why it stopped before the end. */
  private async sendAll(source: SourceFile): Promise<string | undefined> {
    for await (const entry of readCapture(unpackedFileBytes(source), this.read)) {
      this.process(entry);
      const error = await this.sendPending();
      if (error !== undefined) return error;
      if (this.traceSender?.isBehind) await this.traceSender.settle(BEHIND_MS);
    }
    this.feed.finish();
    return this.sendPending();
  }

  private process(entry: CaptureEntry): void {
    const { file } = this.options;
    const { problems } = this.parts;
    switch (entry.kind) {
      case 'packet':
        this.place = entry.place;
        this.feed.play(entry.packet, entry.at);
        return;
      case 'unreadable':
        problems.add(file, `${entry.place}: ${entry.reason}`);
        return;
      case 'not-read':
        problems.addKind(file, entry.count, entry.text);
        return;
      default:
        problems.addEmpty(file, entry.reason);
    }
  }

  /** Resolves with why it stopped: the collector is away or cannot store records at the moment. */
  private async sendPending(): Promise<string | undefined> {
    const { connection } = this.parts;
    const records = this.pending;
    this.pending = [];
    for (const record of records) {
      const delivery = await connection.send(record);
      if (isInterrupted(delivery)) {
        return `The collector stopped accepting records after ${connection.counts.answered}: ${delivery.reason}.`;
      }
      if (delivery.outcome === 'answered') this.calls.add(record.connection.callId);
    }
    return undefined;
  }
}

type Interrupted = Exclude<Delivery, { readonly outcome: 'answered' }>;

/** Not so if the record itself was rejected: the others may be accepted. */
function isInterrupted(delivery: Delivery): delivery is Interrupted {
  if (delivery.outcome === 'refused') return BUSY.has(delivery.status);
  return delivery.outcome !== 'answered';
}

/** The report is about records; the metrics of the collector count messages. */
function notReported(): void {}
