import { NOTHING_PLAYED, OutputVersionChoice, PlayedFeed } from '@ringdown/call-capture';
import { unpackedFileBytes, FileProblems, readCapture, type SourceFile } from '@ringdown/call-capture/files';
import { HepError, readHep } from '@ringdown/capture';
import { openFeeds, RECORDS_AT_ONCE, TraceSender, type FeedConnection } from '@ringdown/feed-client';
import { feedSummary, NOTHING_SENT, pause } from '@ringdown/feed-client/command';
import { readFeedMessage, FeedSyntaxError } from '@ringdown/xml-schemas';
import { readableFiles } from './readable-files.js';
import { readLog, type LogEntry } from './read-log.js';
import { ReplayOutlet } from './replay-outlet.js';
import type { ReplayOptions, ReplaySummary } from './replay-options.js';
import { withTicks } from './with-ticks.js';

const EMPTY_SUMMARY = {
  ...NOTHING_SENT,
  ...NOTHING_PLAYED,
  interrupted: false,
  unreadable: 0,
} as const;

type Played = Extract<LogEntry, { readonly at: number }>;

/** How long the messages of calls that still wait may take at the end, and in between. */
const LAST_MESSAGES_MS = 10_000;
const BEHIND_MS = 5_000;
/** Between sweeps while no packet comes. */
const SWEEP_MS = 1_000;

/**
 * Sends the contents of sender text logs and packet captures to a collector. Throws NoCollector before the first record
 * when no collector answers; connects to none when no file can be read.
 */
export async function replay(options: ReplayOptions): Promise<ReplaySummary> {
  const problems = new FileProblems();
  const files = await readableFiles(options, problems);
  if (files.length === 0) return { ...EMPTY_SUMMARY, problems: problems.list };
  const version = new OutputVersionChoice(options.version);
  const onConfiguration = (configuration: string): void => void version.onConfiguration(configuration);
  const connections = await openFeeds([options.frontEnd], { ...options, onConfiguration });
  try {
    return await new Replay(options, { connections, files, problems, version }).run();
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

interface ReplayParts {
  readonly connections: Map<string, FeedConnection>;
  readonly files: readonly SourceFile[];
  readonly problems: FileProblems;
  readonly version: OutputVersionChoice;
}

class Replay {
  private readonly began = performance.now();
  private readonly feed: PlayedFeed;
  private readonly outlet: ReplayOutlet;
  /** The current position, for problem messages. */
  private file = '';
  private place = '';
  private startedAt: number | undefined;
  private readonly traceSender: TraceSender | undefined;
  private readonly traced = { stored: 0, dropped: 0, refused: 0 };
  private lastAt = 0;
  /** The input is written while it is read: its packets are due when they come. */
  private isLive = false;
  /** By a monotonic clock. */
  private lastPlayedAt = 0;

  constructor(
    private readonly options: ReplayOptions,
    private readonly parts: ReplayParts,
  ) {
    const { tracing, address, progress } = options;
    this.outlet = new ReplayOutlet(options, parts.connections, (records) => progress.played(this.lastAt, records));
    this.traceSender =
      tracing &&
      new TraceSender({
        ...options,
        ...tracing,
        address: () => address,
        onOutcome: (outcome, messages) => (this.traced[outcome] += messages),
      });
    this.feed = new PlayedFeed({
      ...options,
      version: parts.version,
      messages: tracing && {
        rtcp: tracing.rtcp,
        onMessage: (message) => this.traceSender?.add(message),
        onTooLarge: () => this.traced.dropped++,
      },
      onRecord: (record) => this.outlet.add(record),
      onRejected: (message) => this.addProblem(message),
    });
  }

  async run(): Promise<ReplaySummary> {
    const { signal, frontEnd, progress } = this.options;
    const { connections, files, problems } = this.parts;
    progress.total = files.reduce((sum, { size }) => sum + size, 0);
    for (const source of files) await this.playFile(source);
    if (!signal.aborted) {
      await this.outlet.setFrontEnd(frontEnd);
      this.feed.finish();
      await this.outlet.send();
    }
    if (!signal.aborted) await this.traceSender?.settle(LAST_MESSAGES_MS);
    this.traceSender?.close();
    progress.ended();
    const used = [...connections.values()].filter(({ counts }) => counts.sent > 0).length;
    const { outlet, began } = this;
    const sent = {
      feeds: connections.values(),
      calls: outlet.calls,
      frontEnds: used,
      began,
      interrupted: signal.aborted,
    };
    return {
      ...feedSummary(sent),
      ...this.feed.findings,
      unreadable: problems.unreadable,
      ...(this.traceSender && { messages: this.traced }),
      problems: problems.list,
    };
  }

  private async playFile(source: SourceFile): Promise<void> {
    const { signal, progress } = this.options;
    const read = source.holds === 'capture' ? readCapture : readLog;
    this.file = source.file;
    const entries = read(unpackedFileBytes(source), progress);
    this.isLive = source.input !== undefined;
    for await (const entry of this.isLive ? withTicks(entries, SWEEP_MS) : entries) {
      if (signal.aborted) return;
      if (entry === undefined) await this.passTime();
      else if (entry.kind === 'nothing') this.parts.problems.addEmpty(source.file, entry.reason);
      else if (entry.kind === 'not-read') this.parts.problems.addKind(source.file, entry.count, entry.text);
      else {
        this.place = entry.place;
        if (entry.kind === 'unreadable') this.addProblem(entry.reason);
        else await this.play(entry);
      }
    }
  }

  /** No packet has come for a second, and calls that are over become due. */
  private async passTime(): Promise<void> {
    if (this.startedAt === undefined) return;
    await this.outlet.setFrontEnd(this.options.frontEnd);
    this.feed.sweep(this.lastAt + performance.now() - this.lastPlayedAt);
    await this.outlet.send();
  }

  private async play(entry: Played): Promise<void> {
    this.startedAt ??= entry.at;
    this.lastAt = Math.max(this.lastAt, entry.at);
    if (this.isLive) this.lastPlayedAt = performance.now();
    else if (this.options.speed > 0) await this.waitUntilDue(entry.at - this.startedAt);
    await this.outlet.setFrontEnd(entry.kind === 'record' ? entry.frontEnd : this.options.frontEnd);
    if (entry.kind === 'record') this.processRecord(entry.xml);
    else if (entry.kind === 'packet') this.feed.play(entry.packet, entry.at);
    else this.processHep(entry.bytes, entry.at);
    // A file can wait, unlike calls in progress.
    if (this.traceSender?.isBehind) await this.traceSender.settle(BEHIND_MS);
    if (this.outlet.pending >= this.recordsAtOnce) await this.outlet.send();
  }

  /** Only what is sent as fast as possible can wait for more records. */
  private get recordsAtOnce(): number {
    return this.options.speed > 0 || this.isLive ? 1 : RECORDS_AT_ONCE;
  }

  private addProblem(reason: string): void {
    this.parts.problems.add(this.file, `${this.place}: ${reason}`);
  }

  /** `after`: since the first entry. Entries with the same or an earlier time than the one before are due at once. */
  private async waitUntilDue(after: number): Promise<void> {
    const { speed, signal } = this.options;
    await pause(this.began + after / speed - performance.now(), signal);
  }

  private processHep(bytes: Buffer, at: number): void {
    try {
      this.feed.play(readHep(bytes, { receivedAt: at }), at);
    } catch (error) {
      if (!(error instanceof HepError)) throw error;
      this.addProblem(error.message);
    }
  }

  private processRecord(xml: string): void {
    try {
      const message = readFeedMessage(Buffer.from(xml), this.options.profile);
      if (message.kind === 'record') this.outlet.add(message.record);
      else this.addProblem('the message is not a record');
    } catch (error) {
      if (!(error instanceof FeedSyntaxError)) throw error;
      this.addProblem(error.message);
    }
  }
}
