import type { VendorProfile } from '@ringdown/vendor-profile';
import type { CollectorAddress } from '../delivery/collector-address.js';
import type { DeliveryCounts } from '../delivery/delivery.js';
import { FeedConnection } from '../delivery/feed-connection.js';
import { play } from './play.js';
import type { DemoProgress } from './progress.js';
import { writeScript, type Script } from './script.js';

export interface DemoOptions {
  readonly address: CollectorAddress;
  readonly durationMs: number;
  readonly seed: number;
  readonly frontEnds: number;
  readonly profile: VendorProfile;
  readonly resumeAfterMs: number;
  readonly signal: AbortSignal;
  readonly progress: DemoProgress;
  /** When the scripted day ends, milliseconds since 1970. */
  readonly endsAt: number;
}

export interface DemoSummary {
  readonly calls: number;
  readonly frontEnds: number;
  readonly records: number;
  readonly recordsAnswered: number;
  /** All that were not answered with 200; the three below add up to it. */
  readonly recordsFailed: number;
  readonly recordsRefused: number;
  readonly recordsNotTaken: number;
  readonly recordsLost: number;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** There is no collector at the address. The message is for the person who started the demo. */
export class NoCollector extends Error {
  override readonly name = 'NoCollector';
}

/** Runs the demo. Throws {@link NoCollector} before the first record when nobody answers. */
export async function runDemo(options: DemoOptions): Promise<DemoSummary> {
  const { address, seed, frontEnds, endsAt, durationMs, signal, progress } = options;
  const script = writeScript({ seed, frontEnds, endsAt });
  const connections = connectionsFor(script, options);
  const began = performance.now();
  try {
    for (const connection of connections.values()) {
      const opening = await connection.open();
      if (!opening.ok) throw new NoCollector(`no collector answers at ${address.records.origin}: ${opening.reason}`);
    }
    progress.started(script);
    await play({ script, connections, durationMs, signal, onSent: (scripted) => progress.sent(scripted) });
    progress.ended();
    const counts = [...connections.values()].map((connection) => connection.counts);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return { ...summaryOf(script, counts), frontEnds, seconds, interrupted: signal.aborted };
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

function connectionsFor(script: Script, options: DemoOptions): ReadonlyMap<string, FeedConnection> {
  const { address, profile, resumeAfterMs } = options;
  const names = [...new Set(script.records.map(({ frontEnd }) => frontEnd))].sort();
  return new Map(
    names.map((frontEnd) => [frontEnd, new FeedConnection({ address, frontEnd, profile, resumeAfterMs })]),
  );
}

function summaryOf(
  { calls }: Script,
  counts: readonly DeliveryCounts[],
): Omit<DemoSummary, 'frontEnds' | 'seconds' | 'interrupted'> {
  const total = (key: keyof DeliveryCounts): number => counts.reduce((sum, each) => sum + each[key], 0);
  return {
    calls,
    records: total('sent'),
    recordsAnswered: total('answered'),
    recordsFailed: total('sent') - total('answered'),
    recordsRefused: total('refused'),
    recordsNotTaken: total('failed'),
    recordsLost: total('lost'),
  };
}
