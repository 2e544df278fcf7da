import type { StoredMsg } from '@nats-io/jetstream';
import type { Bus } from '../bus.js';

/** Messages requested at the same time. */
const AT_ONCE = 50;

/** The messages of a stream from the newest to the oldest, without deleted ones. */
export async function* newestFirst(bus: Bus, stream: string): AsyncGenerator<StoredMsg> {
  const { state } = await bus.jsm.streams.info(stream);
  if (state.messages === 0) return;
  for (let last = state.last_seq; last >= state.first_seq; last -= AT_ONCE) {
    const first = Math.max(state.first_seq, last - AT_ONCE + 1);
    const sequences = Array.from({ length: last - first + 1 }, (_, i) => last - i);
    const found = await Promise.all(sequences.map((seq) => bus.jsm.streams.getMessage(stream, { seq })));
    for (const message of found) {
      if (message !== null) yield message;
    }
  }
}
