// Order of test files: long ones first, so that no worker still runs one when the others have finished.
import Sequencer from '@jest/test-sequencer';
import { relative } from 'node:path';
import { root } from '../prepare.mjs';
import { knownDurations } from './durations.mjs';

export default class LongFirst extends Sequencer {
  sort(tests) {
    const durations = knownDurations();
    const secondsOf = ({ path }) => durations[relative(root, path)] ?? 0;
    return super.sort(tests).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
