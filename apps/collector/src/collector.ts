import type { Service } from '@ringdown/service';
import { CollectorModule } from './collector.module.js';
import { COLLECTOR } from './ingress/answer-counts.controller.js';
import { FeedListeners } from './ingress/feed-listeners.js';
import { assertFeedSettings, collectorSettings } from './settings.js';

/** Ingress of the diagnostics feed: only reads records, stores them on the bus and replies. */
export const collector: Service<typeof collectorSettings> = {
  name: 'collector',
  fields: collectorSettings,
  check: assertFeedSettings,
  module: CollectorModule,
  transportId: COLLECTOR,
  addressOf: (app) => app.get(FeedListeners, { strict: false }).address,
};
