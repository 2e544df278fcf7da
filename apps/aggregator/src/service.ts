import { KnownFrontEnds } from '@ringdown/feed-bus';
import { ensureDeadLettersStream, ensureFeedStreams } from '@ringdown/feed-bus/streams';
import { problemStyle } from '@ringdown/web-server/errors';
import { ServiceReports } from '@ringdown/service';
import type { WebService } from '@ringdown/web-service';
import { AggregatorModule } from './aggregator.module.js';
import { AGGREGATOR } from './http/live/calls-in-progress.controller.js';
import { aggregatorSettings } from './settings/settings.js';

/** Folds records into calls, and serves everything about calls under `/api`. */
export const aggregator: WebService<typeof aggregatorSettings> = {
  name: 'aggregator',
  fields: aggregatorSettings,
  async prepare(settings, { bus }) {
    await ensureFeedStreams(bus, settings);
    await ensureDeadLettersStream(bus, settings);
    await ServiceReports.ensureBucket(bus);
    await KnownFrontEnds.ensureBucket(bus);
  },
  module: AggregatorModule,
  transportId: AGGREGATOR,
  errorStyles: () => [problemStyle('/api')],
};
