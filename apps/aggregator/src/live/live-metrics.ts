import { callKey } from '../calls/call-keys.js';
import { ItemReaders } from './item-readers.js';
import type { LiveReaders } from './live-readers.js';

/** All readers that follow the metrics of calls through this process. */
export class LiveMetrics extends ItemReaders {
  private readonly stopListening: () => void;

  constructor(liveReaders: LiveReaders) {
    super();
    this.stopListening = liveReaders.listen({
      isNeeded: () => this.size > 0,
      onChanged: (calls) => this.changed(calls && new Set(calls.map(({ callId }) => callKey(callId)))),
    });
  }

  override close(): void {
    this.stopListening();
    super.close();
  }
}
