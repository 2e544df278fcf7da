// Order of test files: long ones first, so that no worker still runs one when the others have finished. jest itself
// uses the duration of the last run, and in a clean clone the file size, which does not predict tests that wait.
import Sequencer from '@jest/test-sequencer';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Files that take more than a minute with the two workers of CI. */
const LONG = [
  'apps/aggregator/dist/test/faults/clocks.spec.js',
  'apps/aggregator/dist/test/shorter-bus.spec.js',
  'apps/aggregator/dist/test/faults/outages.spec.js',
  'apps/aggregator/dist/test/exports.spec.js',
  'apps/ringdown/dist/test/small-disk.spec.js',
  'apps/application-people/dist/test/communication.spec.js',
  'apps/application-people/dist/test/presence/contact-presence.spec.js',
  'apps/console/dist/test/live.spec.js',
  'apps/console/dist/test/people.spec.js',
  'apps/aggregator/dist/test/poison-records.spec.js',
  'apps/aggregator/dist/test/faults/shorter-bus.spec.js',
  'apps/console/dist/test/quality.spec.js',
  'apps/aggregator/dist/test/faults/full-disk.spec.js',
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
