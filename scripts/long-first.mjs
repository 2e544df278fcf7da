// Order of test files: the long ones first, so that no worker has one of them left when the others are done. jest itself
// goes by what they took last time, and in a clean clone by their size, which says little about tests that wait.
import Sequencer from '@jest/test-sequencer';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Those that take more than a minute of the two workers of CI. */
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
