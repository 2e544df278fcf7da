// Order of test files: long ones first, so that no worker still runs one when the others have finished. jest itself
// uses the duration of the last run, and in a clean clone the file size, which does not predict tests that wait.
import Sequencer from '@jest/test-sequencer';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Files that take about a minute or more with the three workers of CI, the longest first. */
const LONG = [
  'apps/ringdown/dist/test/demo.spec.js',
  'apps/console/dist/test/demo.spec.js',
  'apps/console/dist/test/feeds.spec.js',
  'apps/console/dist/test/people.spec.js',
  'apps/ringdown/dist/test/people-guide.spec.js',
  'apps/ringdown/dist/test/life.spec.js',
  'apps/aggregator/dist/test/shorter-bus.spec.js',
  'apps/aggregator/dist/test/every-leaf.spec.js',
  'apps/aggregator/dist/test/faults/clocks.spec.js',
  'apps/console/dist/test/single-sign-on.spec.js',
  'apps/ringdown/dist/test/npm-start.spec.js',
  'apps/console/dist/test/search.spec.js',
  'apps/console/dist/test/administration.spec.js',
  'libs/embedded/dist/test/embedded.spec.js',
  'apps/console/dist/test/quality.spec.js',
  'apps/aggregator/dist/test/alert-hour.spec.js',
  'apps/collector/dist/test/fuzz/fuzz.spec.js',
  'apps/ringdown/dist/test/cluster/cluster.spec.js',
  'apps/aggregator/dist/test/backup.spec.js',
  'apps/console/dist/test/call-quality.spec.js',
  'apps/console/dist/test/alerts.spec.js',
  'apps/ringdown/dist/test/backup.spec.js',
  'apps/ringdown/dist/test/status-and-stop.spec.js',
  'libs/nats/dist/test/cluster.spec.js',
  'apps/aggregator/dist/test/poison-records.spec.js',
  'apps/ringdown/dist/test/small-disk.spec.js',
  'apps/ringdown/dist/test/phones/phones.spec.js',
  'apps/ringdown/dist/test/shorter-bus.spec.js',
  'apps/aggregator/dist/test/faults/backup.spec.js',
  'apps/aggregator/dist/test/faults/outages.spec.js',
  'apps/console/dist/test/live.spec.js',
];

const places = new Map(LONG.map((file, place) => [join(root, file), place]));

function placeOf({ path }) {
  return places.get(path) ?? LONG.length;
}

export default class LongFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
