import { type FeedConnection, openFeeds, type FeedsOptions } from '@ringdown/feed-client';
import { SeededRandom } from '@ringdown/generated-calls';
import { play } from './play.js';
import type { PlayProgress } from './play-progress.js';
import { frontEndNames, writeScript } from './script.js';
import type { ScriptedRecord } from '@ringdown/generated-calls';
import { feedSummary, type FeedSummary } from '@ringdown/feed-client/command';
import { disturb, type Disturbance } from './disturb.js';

export interface GenerateOptions extends FeedsOptions, Disturbance {
  readonly calls: number;
  /** Calls a second; 0: as fast as the collector answers. */
  readonly rate: number;
  readonly seed: number;
  readonly frontEnds: number;
  readonly progress: PlayProgress;
  /** When the calls end, milliseconds since 1970. */
  readonly endsAt: number;
}

/** Calls are generated in batches of this size, so that memory does not grow with their number. */
const BATCH = 2_000;

/** Sends generated calls. Throws NoCollector before the first record when no collector answers. */
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
      ...feedSummary({ feeds: connections.values(), calls: done, frontEnds, began, interrupted: signal.aborted }),
      recordsWithheld,
    };
  } finally {
    for (const connection of connections.values()) connection.close();
  }
}

interface PlayedBatch {
  /** Calls of which a record was sent. */
  readonly calls: number;
  /** Withheld records that were due. */
  readonly withheld: number;
}

async function playBatch(
  batch: number,
  calls: number,
  connections: ReadonlyMap<string, FeedConnection>,
  options: GenerateOptions,
): Promise<PlayedBatch> {
  const { rate, frontEnds, endsAt, signal, progress } = options;
  // Each batch has its own seed, so that no two have the same calls.
  const seed = (options.seed + batch * 0x9e37_79b9) >>> 0;
  const script = disturb(writeScript({ seed, frontEnds, endsAt, calls }), options, new SeededRandom(seed));
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
