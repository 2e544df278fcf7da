import type { FeedConnection } from '../delivery/feed-connection.js';
import { Dice } from '../demo/dice.js';
import { openFeeds, type FeedsOptions } from '../demo/feeds.js';
import { play } from '../demo/play.js';
import type { DemoProgress } from '../demo/progress.js';
import { frontEndNames, writeScript, type ScriptedRecord } from '../demo/script.js';
import { summaryOf, type FeedSummary } from '../demo/summary.js';
import { disturb, type Disturbance } from './disturb.js';

export interface GenerateOptions extends FeedsOptions, Disturbance {
  readonly calls: number;
  /** Calls a second; 0: as fast as the collector answers. */
  readonly rate: number;
  readonly seed: number;
  readonly frontEnds: number;
  readonly progress: DemoProgress;
  /** When the calls end, milliseconds since 1970. */
  readonly endsAt: number;
}

/** So many calls are made up at a time: the memory is the same for any number. */
const BATCH = 2_000;

/** Sends made-up calls. Throws NoCollector before the first record when nobody answers. */
export async function generate(options: GenerateOptions): Promise<FeedSummary> {
  const { calls, frontEnds, signal, progress } = options;
  const began = performance.now();
  const connections = await openFeeds(frontEndNames(frontEnds), options);
  try {
    let [done, recordsWithheld] = [0, 0];
    for (let batch = 0; done < calls && !signal.aborted; batch++) {
      const size = Math.min(BATCH, calls - done);
      const played = await playBatch(batch, size, connections, options);
      done += signal.aborted ? played.calls : size;
      recordsWithheld += played.withheld;
    }
    progress.ended();
    return {
      ...summaryOf({ connections, calls: done, frontEnds, began, interrupted: signal.aborted }),
      recordsWithheld,
    };
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

interface PlayedBatch {
  /** Of which a record was sent. */
  readonly calls: number;
  /** Records whose turn would have come. */
  readonly withheld: number;
}

async function playBatch(
  batch: number,
  calls: number,
  connections: ReadonlyMap<string, FeedConnection>,
  options: GenerateOptions,
): Promise<PlayedBatch> {
  const { rate, frontEnds, endsAt, signal, progress } = options;
  // Each batch has a seed of its own, so that no two have the same calls.
  const seed = (options.seed + batch * 0x9e37_79b9) >>> 0;
  const script = disturb(writeScript({ seed, frontEnds, endsAt, calls }), options, new Dice(seed));
  progress.started(script);
  const durationMs = rate === 0 ? 0 : (calls / rate) * 1_000;
  const begun = new Set<string>();
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSent = (scripted: ScriptedRecord): void => {
    lastAt = Math.max(lastAt, scripted.at);
    begun.add(scripted.record.connection.callId);
    progress.sent(scripted);
  };
  await play({ script, connections, durationMs, signal, onSent });
  const withheld = script.withheld.filter(({ at }) => !signal.aborted || at <= lastAt).length;
  return { calls: begun.size, withheld };
}
