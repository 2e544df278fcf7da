import { CALL_CHANGES_STREAM } from '@ringdown/contracts/calls';
import { isRecordBatch, RECORDS_STREAM } from '@ringdown/contracts/records';
import { ensureCallChangesStream, ensureDeadLettersStream, ensureFeedStreams } from '@ringdown/feed-bus/streams';
import type { Bus } from '@ringdown/nats';
import { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger, Metrics } from '@ringdown/observability';
import { BusTransport } from './bus-transport.js';
import { changedCallsOf } from './changed-calls.js';
import type { Transport } from './transport.js';
import { OutgoingWriter, type OutgoingItem } from './outgoing.js';
import type { Settings } from './settings.js';
import { SubscriberMetrics } from './subscriber-metrics.js';
import { Subscriber } from './subscriber.js';
import { readSubscribersFile } from './subscribers-file.js';
import type { SubscriberSettings } from './subscription.js';
import { Webhook } from './webhook.js';

/** Opens a {@link Subscriber} for each entry of the file; none without a file. */
export async function openSubscribers(
  settings: Settings,
  { bus, logger, metrics }: { readonly bus: Bus; readonly logger: Logger; readonly metrics: Metrics },
): Promise<readonly Subscriber[]> {
  const { subscribersFile, identitySeed } = settings;
  if (subscribersFile === undefined) return [];
  const subscriptions = await readSubscribersFile(subscribersFile, identitySeed !== undefined);
  await ensureFeedStreams(bus, settings, 'user');
  await ensureDeadLettersStream(bus, settings, 'user');
  if (subscriptions.some(({ send }) => send === 'calls')) await ensureCallChangesStream(bus, 'user');
  const subscriberMetrics = new SubscriberMetrics(metrics);
  return Promise.all(
    subscriptions.map(async (subscription) => {
      const { name, send } = subscription;
      const writer = new OutgoingWriter(subscription, settings.vendorProfile, hidingFor(subscription, identitySeed));
      return new Subscriber({
        subscription,
        bus,
        stream: send === 'calls' ? CALL_CHANGES_STREAM : RECORDS_STREAM,
        transport: await transportTo(subscription, bus),
        metrics: subscriberMetrics.of(name),
        logger,
        items: send === 'calls' ? ofCalls(writer) : ofRecords(writer),
        limitMs: settings.processingLimitMs,
      });
    }),
  );
}

/** The reader of the file guarantees an address for subscribers over HTTP. */
function transportTo(subscription: SubscriberSettings, bus: Bus): Promise<Transport> {
  const { submituri } = subscription;
  return submituri === undefined
    ? Promise.resolve(new BusTransport(bus, subscription))
    : Webhook.open(submituri, subscription);
}

function hidingFor(subscription: SubscriberSettings, seed: string | undefined): IdentityHiding | undefined {
  const own = subscription.obfuscationseed ?? seed;
  return subscription.hidepii === 'true' && own !== undefined ? new IdentityHiding(own) : undefined;
}

type Items = (message: unknown) => readonly OutgoingItem[] | undefined;

function ofRecords(writer: OutgoingWriter): Items {
  return (message) => {
    if (!isRecordBatch(message)) return undefined;
    return message.records.map((content) => {
      return { callId: contentCallId(content), content, outgoing: () => writer.fromRecord(content) };
    });
  };
}

/** The CallId of a message that may not be a record. */
function contentCallId(content: unknown): string {
  return String(Object(Object(Object(content).record).connection).callId ?? '');
}

function ofCalls(writer: OutgoingWriter): Items {
  return (message) =>
    changedCallsOf(message)?.map((content) => {
      return { callId: content.callId, content, outgoing: () => writer.fromCall(content) };
    });
}
