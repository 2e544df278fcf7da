import type { IdentityHiding } from '@ringdown/identity-hiding';
import { readFeedMessage, FeedSyntaxError, type DiagnosticsRecord, type OutputVersion } from '@ringdown/xml-schemas';
import { stat } from 'node:fs/promises';
import { FeedConnection } from '../delivery/feed-connection.js';
import { openFeeds, type FeedsOptions } from '../demo/feeds.js';
import { pause } from '../demo/play.js';
import { summaryOf, type FeedSummary } from '../demo/summary.js';
import { FrontEndFeed } from '../feed/front-end-feed.js';
import type { CapturedPacket } from '../hep/captured-packet.js';
import { HepError } from '../hep/hep-error.js';
import { readHep } from '../hep/read-hep.js';
import { isCaptureFile, readCapture } from './read-capture.js';
import { readLog, type LogEntry } from './read-log.js';
import type { ReplayProgress } from './replay-progress.js';

export interface ReplayOptions extends FeedsOptions {
  readonly files: readonly string[];
  /** 1: as it was; 10: ten times as fast; 0: at once. */
  readonly speed: number;
  /** Who tells of captured packets, and in which version; logged records know both themselves. */
  readonly frontEnd: string;
  readonly version: OutputVersion;
  /** Of those who are in captured packets. What was logged of records stays as it was sent. */
  readonly hiding?: IdentityHiding;
  readonly signal: AbortSignal;
  readonly progress: ReplayProgress;
}

export interface ReplaySummary extends FeedSummary {
  /** Lines that are no line of a log, or hold no packet or record; ends of captures that are cut off. */
  readonly unreadable: number;
}

/** Reports of quality that are still waited for when the log ends come out then. */
const AFTER_THE_END_MS = 30_000;
/** Of the time in the log. */
const SWEEP_MS = 1_000;

/** Tells a collector what text logs of the sender and captures of packets hold. Throws NoCollector before the first record when nobody answers. */
export async function replay(options: ReplayOptions): Promise<ReplaySummary> {
  const connections = new Map(await openFeeds([options.frontEnd], options));
  try {
    return await new Replay(options, connections).run();
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

class Replay {
  private readonly began = performance.now();
  private readonly feed: FrontEndFeed;
  private readonly calls = new Set<string>();
  private toTell: DiagnosticsRecord[] = [];
  private unreadable = 0;
  private startedAt: number | undefined;
  private lastAt = 0;
  private sweptAt = 0;

  constructor(
    private readonly options: ReplayOptions,
    private readonly connections: Map<string, FeedConnection>,
  ) {
    this.feed = new FrontEndFeed({
      ...options,
      onRecord: (record) => this.toTell.push(record),
      onRefused: () => this.unreadable++,
    });
  }

  async run(): Promise<ReplaySummary> {
    const { files, signal, frontEnd, progress } = this.options;
    for (const file of files) progress.total += (await stat(file)).size;
    for (const file of files) {
      const entries = (await isCaptureFile(file)) ? readCapture(file, progress) : readLog(file, progress);
      for await (const entry of entries) {
        if (signal.aborted) break;
        await this.play(entry);
      }
    }
    this.feed.sweep(this.lastAt + AFTER_THE_END_MS);
    await this.tell(frontEnd);
    progress.ended();
    const { connections, calls, began, unreadable } = this;
    const used = [...connections.values()].filter(({ counts }) => counts.sent > 0).length;
    const sent = { connections, calls: calls.size, frontEnds: used, began, interrupted: signal.aborted };
    return { ...summaryOf(sent), unreadable };
  }

  private async play(entry: LogEntry): Promise<void> {
    if (entry.kind === 'unreadable') {
      this.unreadable++;
      return;
    }
    await this.itsTurn(entry.at);
    if (entry.kind === 'record') {
      this.takeRecord(entry.xml);
      return this.tell(entry.frontEnd);
    }
    if (entry.kind === 'packet') this.takePacket(entry.packet, entry.at);
    else this.takeHep(entry.bytes, entry.at);
    await this.tell(this.options.frontEnd);
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
      this.unreadable++;
    }
  }

  private takeRecord(xml: string): void {
    try {
      const message = readFeedMessage(Buffer.from(xml), this.options.profile);
      if (message.kind === 'record') this.toTell.push(message.record);
      else this.unreadable++;
    } catch (error) {
      if (!(error instanceof FeedSyntaxError)) throw error;
      this.unreadable++;
    }
  }

  private async tell(frontEnd: string): Promise<void> {
    const records = this.toTell;
    this.toTell = [];
    for (const record of records) {
      this.calls.add(record.connection.callId);
      await this.connectionOf(frontEnd).send(record);
    }
    this.options.progress.played(this.lastAt, records.length);
  }

  private connectionOf(frontEnd: string): FeedConnection {
    const known = this.connections.get(frontEnd) ?? new FeedConnection({ ...this.options, frontEnd });
    this.connections.set(frontEnd, known);
    return known;
  }
}
