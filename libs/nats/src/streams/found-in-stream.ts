import type { StreamInfo } from '@nats-io/jetstream';
import type { Bus } from '../bus.js';

/**
 * What was looked up in streams, as long as nothing was stored or deleted there since: the description of a stream, which has a
 * few hundred bytes, then replaces requests for whole messages.
 */
export class FoundInStream<V> {
  private readonly states = new WeakMap<Bus, Map<string, { readonly state: string; readonly found: Map<string, V> }>>();

  /** In this state of the stream; empty after any change. */
  in(bus: Bus, stream: StreamInfo): Map<string, V> {
    const ofBus = this.states.get(bus) ?? new Map<string, { readonly state: string; readonly found: Map<string, V> }>();
    this.states.set(bus, ofBus);
    const { name } = stream.config;
    const state = stateOf(stream);
    const known = ofBus.get(name);
    if (known?.state === state) return known.found;
    const found = new Map<string, V>();
    ofBus.set(name, { state, found });
    return found;
  }
}

/** A stream that was recreated or shortened stores its last message at another time, also under the same sequence. */
function stateOf({ created, state }: StreamInfo): string {
  const { first_seq: first, last_seq: last, last_ts: lastAt, messages, bytes } = state;
  return [created, first, last, lastAt, messages, bytes].join(' ');
}
