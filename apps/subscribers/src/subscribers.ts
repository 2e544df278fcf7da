import type { Service } from '@ringdown/service';
import { subscribersSettings } from './settings.js';
import { SubscribersModule } from './subscribers.module.js';

/** Sends records and changed calls on to those who subscribed to them. */
export const subscribers: Service<typeof subscribersSettings> = {
  name: 'subscribers',
  fields: subscribersSettings,
  module: SubscribersModule,
  transportId: Symbol('subscribers'),
};
