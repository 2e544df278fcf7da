import { openFeeds, type FeedsOptions } from '@ringdown/feed-client';
import { play } from './play.js';
import type { DemoProgress } from './progress.js';
import { writeScript } from './script.js';
import { summaryOf, type FeedSummary } from './summary.js';

export interface DemoOptions extends FeedsOptions {
  readonly durationMs: number;
  readonly seed: number;
  readonly frontEnds: number;
  readonly progress: DemoProgress;
  /** When the scripted day ends, milliseconds since 1970. */
  readonly endsAt: number;
}

/** Runs the demo. Throws NoCollector before the first record when no collector answers. */
export async function runDemo(options: DemoOptions): Promise<FeedSummary> {
  const { seed, frontEnds, endsAt, durationMs, signal, progress } = options;
  const script = writeScript({ seed, frontEnds, endsAt });
  const began = performance.now();
  const names = [...new Set(script.records.map(({ frontEnd }) => frontEnd))].sort();
  const connections = await openFeeds(names, options);
  try {
    progress.started(script);
    await play({ script, connections, durationMs, signal, onSent: (scripted) => progress.sent(scripted) });
    progress.ended();
    return summaryOf({ connections, calls: script.calls, frontEnds, began, interrupted: signal.aborted });
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}
