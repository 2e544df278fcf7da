import {
  bytesOf,
  FileProblems,
  identifySource,
  OutputVersionChoice,
  PlayedFeed,
  readCapture,
  requireCapture,
  SourceError,
  type CaptureEntry,
  type ReadProgress,
  type SourceFile,
} from '@ringdown/call-capture';
import { openFeeds, type FeedConnection, type FeedsOptions } from '@ringdown/feed-client';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { MAX_CALL_IDS } from './capture-report.js';
import type { ReaderProgress, ReaderSummary } from './reader-output.js';

export interface SendCaptureOptions extends Omit<FeedsOptions, 'onConfiguration'> {
  readonly file: string;
  readonly frontEnd: string;
  /** Called after each batch of records. */
  readonly onProgress: (progress: ReaderProgress) => void;
}

export const NOTHING_SENT: ReaderSummary = {
  packets: 0,
  calls: 0,
  callIds: [],
  records: 0,
  recordsFailed: 0,
  unreportedCalls: 0,
  problems: [],
};

/**
 * Sends the calls in a capture to a collector. Throws `NoCollector` before the first record when none answers; connects
 * to none when the file cannot be read.
 */
export async function sendCapture(options: SendCaptureOptions): Promise<ReaderSummary> {
  const problems = new FileProblems();
  const source = await captureIn(options.file);
  if (typeof source === 'string')
    return { ...NOTHING_SENT, problems: [{ code: 'not-a-capture', count: 0, reason: source }] };
  const version = new OutputVersionChoice(undefined);
  const onConfiguration = (configuration: string): void => void version.onConfiguration(configuration);
  const feeds = await openFeeds([options.frontEnd], { ...options, onConfiguration });
  try {
    const connection = feeds.get(options.frontEnd);
    if (connection === undefined) throw new Error('no feed was opened');
    return await new CaptureSender(options, { connection, version, problems }).send(source);
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

function listOf(problems: FileProblems): ReaderSummary['problems'] {
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

  constructor(
    private readonly options: SendCaptureOptions,
    private readonly parts: SenderParts,
  ) {
    const { frontEnd, file } = options;
    this.feed = new PlayedFeed({
      frontEnd,
      version: parts.version,
      onRecord: (record) => this.pending.push(record),
      onRejected: (message) => parts.problems.add(file, `${this.place}: ${message}`),
    });
  }

  async send(source: SourceFile): Promise<ReaderSummary> {
    const { connection, problems } = this.parts;
    for await (const entry of readCapture(bytesOf(source), this.read)) {
      this.process(entry);
      if (this.pending.length > 0) await this.sendPending();
    }
    this.feed.finish();
    await this.sendPending();
    const { sent, answered } = connection.counts;
    return {
      packets: this.read.packets,
      calls: this.calls.size,
      callIds: [...this.calls].slice(0, MAX_CALL_IDS),
      records: sent,
      recordsFailed: sent - answered,
      unreportedCalls: this.feed.unreportedCalls,
      problems: listOf(problems),
    };
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

  private async sendPending(): Promise<void> {
    const records = this.pending;
    this.pending = [];
    for (const record of records) {
      this.calls.add(record.connection.callId);
      await this.parts.connection.send(record);
    }
    this.options.onProgress({ ...this.read, records: this.parts.connection.counts.sent });
  }
}
