import type { Service } from '@ringdown/service';
import { subscribersSettings } from './settings.js';
import { SubscribersModule } from './subscribers.module.js';

/** Forwards records and changed calls to subscribers. */
export const subscribers: Service<typeof subscribersSettings> = {
  name: 'subscribers',
  fields: subscribersSettings,
  module: SubscribersModule,
  transportId: Symbol('subscribers'),
};
