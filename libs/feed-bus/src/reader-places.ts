import {
  READERS_ENSURE_PATTERN,
  readReadersEnsureReply,
  type ReadersEnsureReply,
  type ReadersEnsureRequest,
} from '@ringdown/contracts/readers';
import type { Bus } from '@ringdown/nats';
import { DurableConsumer, type ReaderPlace, type StreamPosition } from '@ringdown/nats/reading';

const REPLY_MS = 10_000;
const ACKNOWLEDGE_MS = 30_000;
/** Far more than an operator has subscribers. */
const MAX_READERS = 1_000;

export interface RequestedPlaceOptions {
  readonly bus: Bus;
  readonly stream: string;
  readonly reader: string;
}

/** A reader's place in a stream of the feed, for a service that may not create consumers: the aggregator does it. */
export class RequestedPlace implements ReaderPlace {
  /** A new reader misses nothing while it waits for an aggregator. */
  private readonly since = Date.now();

  constructor(private readonly options: RequestedPlaceOptions) {}

  async ensure(newest: StreamPosition | undefined, mayRestart: boolean): Promise<'ready' | 'shorter'> {
    return (await this.request(mayRestart ? 'restart' : 'check', newest)).place;
  }

  async store(newest: StreamPosition): Promise<void> {
    await this.request('store', newest);
  }

  private async request(
    action: ReadersEnsureRequest['action'],
    newest: StreamPosition | undefined,
  ): Promise<ReadersEnsureReply> {
    const { bus, stream, reader } = this.options;
    const request: ReadersEnsureRequest = { stream, reader, since: this.since, action, ...(newest && { newest }) };
    return readReadersEnsureReply(await bus.requestWithRetry(READERS_ENSURE_PATTERN, request, REPLY_MS));
  }
}

/** What {@link RequestedPlace} requests, done by the owner of the streams. */
export async function ensureReaderPlace(bus: Bus, request: ReadersEnsureRequest): Promise<ReadersEnsureReply> {
  const { stream, reader, since, newest, action } = request;
  const consumer = new DurableConsumer({ bus, stream, name: reader, acknowledgeMs: ACKNOWLEDGE_MS, since });
  if (action === 'store') {
    if (newest !== undefined) await consumer.store(newest);
    return { place: 'ready' };
  }
  const { consumer_count: readers } = (await bus.jsm.streams.info(stream)).state;
  if (readers >= MAX_READERS && !(await consumer.exists()))
    throw new Error(`the stream ${stream} has ${readers} readers: no more are created`);
  return { place: await consumer.ensure(newest, action === 'restart') };
}
