import {
  CALL_CHANGES_STREAM,
  ensureCallChangesStream,
  ensureFeedStreams,
  isRecordBatch,
  RECORDS_STREAM,
  streamSettings,
  type Bus,
} from '@ringdown/bus';
import { IdentityHiding, identitySettings } from '@ringdown/identity-hiding';
import { announce, type Running, type Service, type ServiceContext } from '@ringdown/service';
import { setting, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { BusDelivery } from './bus-delivery.js';
import { changedCallsOf } from './changed-calls.js';
import type { Delivery } from './delivery.js';
import { OutgoingWriter, type Outgoing } from './outgoing.js';
import { SubscriberMetrics } from './subscriber-metrics.js';
import { Subscriber } from './subscriber.js';
import { readSubscribersFile } from './subscribers-file.js';
import type { Subscription } from './subscription.js';
import { Webhook } from './webhook.js';

export const subscribersSettings = {
  subscribersFile: setting.optional(
    setting.text('SUBSCRIBERS_FILE', {
      about: 'JSON file with who gets records or calls sent on (docs/guides/subscribers.md); left out: nobody',
    }),
  ),
  ...identitySettings,
  ...streamSettings,
  ...profileSettings,
};

type Settings = SettingValues<typeof subscribersSettings>;

/** Sends records and changed calls on to whoever subscribed to them. */
export const subscribers: Service<typeof subscribersSettings> = {
  name: 'subscribers',
  fields: subscribersSettings,
  start,
};

/** What operators see of it, over all subscribers. */
const COUNTS = {
  delivered: { metric: 'subscriber_delivered_total' },
  dropped: { metric: 'subscriber_dropped_total' },
  retried: { metric: 'subscriber_retries_total' },
  waiting: { metric: 'subscriber_waiting' },
  failing: { metric: 'subscriber_failing' },
};

async function start(settings: Settings, context: ServiceContext): Promise<Running> {
  const { subscribersFile, identitySeed } = settings;
  const { bus, logger, metrics } = context;
  if (subscribersFile === undefined) return { close: () => Promise.resolve() };
  const subscriptions = await readSubscribersFile(subscribersFile, identitySeed !== undefined);
  await ensureFeedStreams(bus, settings);
  if (subscriptions.some(({ send }) => send === 'calls')) await ensureCallChangesStream(bus);
  const subscriberMetrics = new SubscriberMetrics(metrics);
  const all = await Promise.all(
    subscriptions.map(async (subscription) => {
      const { name, send } = subscription;
      const writer = new OutgoingWriter(subscription, settings.vendorProfile, hidingFor(subscription, identitySeed));
      return new Subscriber({
        subscription,
        bus,
        stream: send === 'calls' ? CALL_CHANGES_STREAM : RECORDS_STREAM,
        delivery: await deliveryTo(subscription, bus),
        metrics: subscriberMetrics.of(name),
        logger,
        outgoing: send === 'calls' ? ofCalls(writer) : ofRecords(writer),
      });
    }),
  );
  await Promise.all(all.map((subscriber) => subscriber.start()));
  announce(context, { service: 'subscribers', counts: COUNTS });
  logger.info({ subscribers: subscriptions.map(({ name }) => name) }, 'records and calls are sent on');
  return { close: async () => void (await Promise.all(all.map((subscriber) => subscriber.stop()))) };
}

/** The file is read as one in which those that are posted to have an address. */
function deliveryTo(subscription: Subscription, bus: Bus): Promise<Delivery> {
  const { submituri } = subscription;
  return submituri === undefined
    ? Promise.resolve(new BusDelivery(bus, subscription))
    : Webhook.open(submituri, subscription);
}

function hidingFor(subscription: Subscription, seed: string | undefined): IdentityHiding | undefined {
  const own = subscription.obfuscationseed ?? seed;
  return subscription.hidepii === 'true' && own !== undefined ? new IdentityHiding(own) : undefined;
}

type Outgoings = (message: unknown) => readonly Outgoing[] | undefined;

function ofRecords(writer: OutgoingWriter): Outgoings {
  return (message) => {
    if (!isRecordBatch(message)) return undefined;
    return message.records.flatMap((record) => writer.fromRecord(record));
  };
}

function ofCalls(writer: OutgoingWriter): Outgoings {
  return (message) => changedCallsOf(message)?.flatMap((call) => writer.fromCall(call));
}
