import type { IdentityHiding } from '@ringdown/identity-hiding';
import { readFeedMessage, FeedSyntaxError, type DiagnosticsRecord, type OutputVersion } from '@ringdown/xml-schemas';
import { FeedConnection } from '../delivery/feed-connection.js';
import { openFeeds, type FeedsOptions } from '../demo/feeds.js';
import { pause } from '../demo/play.js';
import { NOTHING_SENT, summaryOf, type FeedSummary } from '../demo/summary.js';
import { FrontEndFeed } from '../feed/front-end-feed.js';
import type { CapturedPacket } from '../hep/captured-packet.js';
import { HepError } from '../hep/hep-error.js';
import { readHep } from '../hep/read-hep.js';
import { FileProblems, type FileProblem } from './file-problems.js';
import { inOrder } from './in-order.js';
import { readCapture } from './read-capture.js';
import { readLog, type LogEntry } from './read-log.js';
import type { ReplayProgress } from './replay-progress.js';
import { bytesOf, recognise, SourceError, type SourceFile } from './source-file.js';

export interface ReplayOptions extends FeedsOptions {
  readonly files: readonly string[];
  /** 1: as it was; 10: ten times as fast; 0: at once. */
  readonly speed: number;
  /** Who tells of captured packets, and in which version; logged records know both themselves. */
  readonly frontEnd: string;
  readonly version: OutputVersion;
  /** Of those who are in captured packets. What was logged of records stays as it was sent. */
  readonly hiding?: IdentityHiding;
  readonly progress: ReplayProgress;
}

export interface ReplaySummary extends FeedSummary {
  /** Lines that are no line of a log, or hold no packet or record; ends of captures that are cut off. */
  readonly unreadable: number;
  /** What that was in which files, also files that hold nothing. */
  readonly problems: readonly FileProblem[];
}

type Played = Extract<LogEntry, { readonly at: number }>;

/** Reports of quality that are still waited for when the log ends come out then. */
const AFTER_THE_END_MS = 30_000;
/** Of the time in the log. */
const SWEEP_MS = 1_000;

/**
 * Tells a collector what text logs of the sender and captures of packets hold. Throws NoCollector before the first record
 * when nobody answers; nobody is asked when nothing can be read.
 */
export async function replay(options: ReplayOptions): Promise<ReplaySummary> {
  const problems = new FileProblems();
  const files = await readable(options.files, problems);
  if (files.length === 0) return { ...NOTHING_SENT, interrupted: false, unreadable: 0, problems: problems.list };
  const connections = await openFeeds([options.frontEnd], options);
  try {
    return await new Replay(options, { connections, files, problems }).run();
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

/** Those that can be read, in the order of their times. What is wrong with the others is told with what comes of these. */
async function readable(files: readonly string[], problems: FileProblems): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    try {
      found.push(await recognise(file));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.addEmpty(file, error.message);
    }
  }
  return inOrder(found);
}

interface ReplayParts {
  readonly connections: Map<string, FeedConnection>;
  readonly files: readonly SourceFile[];
  readonly problems: FileProblems;
}

class Replay {
  private readonly began = performance.now();
  private readonly feed: FrontEndFeed;
  private readonly calls = new Set<string>();
  private toTell: DiagnosticsRecord[] = [];
  /** What is being told, for complaints. */
  private file = '';
  private place = '';
  private startedAt: number | undefined;
  private lastAt = 0;
  private sweptAt = 0;

  constructor(
    private readonly options: ReplayOptions,
    private readonly parts: ReplayParts,
  ) {
    this.feed = new FrontEndFeed({
      ...options,
      onRecord: (record) => this.toTell.push(record),
      onRefused: (message) => this.cannotRead(message),
    });
  }

  async run(): Promise<ReplaySummary> {
    const { signal, frontEnd, progress } = this.options;
    const { connections, files, problems } = this.parts;
    progress.total = files.reduce((sum, { size }) => sum + size, 0);
    for (const source of files) await this.playFile(source);
    if (!signal.aborted) {
      this.feed.sweep(this.lastAt + AFTER_THE_END_MS);
      await this.tell(frontEnd);
    }
    progress.ended();
    const used = [...connections.values()].filter(({ counts }) => counts.sent > 0).length;
    const { calls, began } = this;
    const sent = { connections, calls: calls.size, frontEnds: used, began, interrupted: signal.aborted };
    return { ...summaryOf(sent), unreadable: problems.unreadable, problems: problems.list };
  }

  private async playFile(source: SourceFile): Promise<void> {
    const { signal, progress } = this.options;
    const read = source.holds === 'capture' ? readCapture : readLog;
    this.file = source.file;
    for await (const entry of read(bytesOf(source), progress)) {
      if (signal.aborted) return;
      if (entry.kind === 'nothing') this.parts.problems.addEmpty(source.file, entry.reason);
      else {
        this.place = entry.place;
        if (entry.kind === 'unreadable') this.cannotRead(entry.reason);
        else await this.play(entry);
      }
    }
  }

  private async play(entry: Played): Promise<void> {
    await this.itsTurn(entry.at);
    if (entry.kind === 'record') {
      this.takeRecord(entry.xml);
      return this.tell(entry.frontEnd);
    }
    if (entry.kind === 'packet') this.takePacket(entry.packet, entry.at);
    else this.takeHep(entry.bytes, entry.at);
    await this.tell(this.options.frontEnd);
  }

  private cannotRead(reason: string): void {
    this.parts.problems.add(this.file, `${this.place}: ${reason}`);
  }

  /** Time that stands still or goes back in the log takes no time here. */
  private async itsTurn(at: number): Promise<void> {
    const { speed, signal } = this.options;
    this.startedAt ??= at;
    this.lastAt = Math.max(this.lastAt, at);
    if (speed > 0) await pause(this.began + (at - this.startedAt) / speed - performance.now(), signal);
  }

  private takePacket(packet: CapturedPacket, at: number): void {
    this.feed.take(packet, at, at);
    if (at - this.sweptAt >= SWEEP_MS) {
      this.sweptAt = at;
      this.feed.sweep(at);
    }
  }

  private takeHep(bytes: Buffer, at: number): void {
    try {
      this.takePacket(readHep(bytes), at);
    } catch (error) {
      if (!(error instanceof HepError)) throw error;
      this.cannotRead(error.message);
    }
  }

  private takeRecord(xml: string): void {
    try {
      const message = readFeedMessage(Buffer.from(xml), this.options.profile);
      if (message.kind === 'record') this.toTell.push(message.record);
      else this.cannotRead('the message is not a record');
    } catch (error) {
      if (!(error instanceof FeedSyntaxError)) throw error;
      this.cannotRead(error.message);
    }
  }

  private async tell(frontEnd: string): Promise<void> {
    const records = this.toTell;
    this.toTell = [];
    for (const record of records) {
      if (this.options.signal.aborted) return;
      this.calls.add(record.connection.callId);
      await this.connectionOf(frontEnd).send(record);
    }
    this.options.progress.played(this.lastAt, records.length);
  }

  private connectionOf(frontEnd: string): FeedConnection {
    const { connections } = this.parts;
    const known = connections.get(frontEnd) ?? new FeedConnection({ ...this.options, frontEnd });
    connections.set(frontEnd, known);
    return known;
  }
}
