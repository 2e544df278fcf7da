// Order of test files: long ones first, so that no worker still runs one when the others have finished. jest itself
// uses the duration of the last run, and in a clean clone the file size, which does not predict tests that wait.
import Sequencer from '@jest/test-sequencer';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Files that take more than a minute with the two workers of CI. */
const LONG = [
  'apps/console/dist/test/people.spec.js',
  'apps/aggregator/dist/test/faults/clocks.spec.js',
  'libs/embedded/dist/test/embedded.spec.js',
  'apps/aggregator/dist/test/shorter-bus.spec.js',
  'apps/console/dist/test/feeds.spec.js',
  'apps/collector/dist/test/fuzz/fuzz.spec.js',
  'apps/console/dist/test/quality.spec.js',
  'apps/ringdown/dist/test/life.spec.js',
  'apps/aggregator/dist/test/poison-records.spec.js',
  'apps/ringdown/dist/test/phones/phones.spec.js',
  'apps/ringdown/dist/test/status-and-stop.spec.js',
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
