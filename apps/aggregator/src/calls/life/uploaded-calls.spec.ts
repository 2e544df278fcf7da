import * as fc from 'fast-check';
import { anna, ben, end, example, failure, start, stream } from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';
import { isUploaded } from './uploaded-calls.js';

const connection = { frontEnds: ['upload~carol~fe1'] };
const carl = { ...anna, id: 'c3', uri: 'sip:carl@example.test' };
const uploads: readonly FeedRecord[] = [
  end({ at: '00:11', connection }),
  example([stream('audio', carl, ben)], { at: '00:12', connection }),
  failure(500, { at: '00:01', connection }),
];
const reported: readonly FeedRecord[] = [start({ at: '00:10' }), end({ at: '05:00' })];

/** Folds one record after the other. */
function callFoldedSingly(records: readonly FeedRecord[]): Call {
  let known: readonly FeedRecord[] = [];
  let call: Call | undefined;
  for (const record of records) ({ records: known, call } = fold(known, [record]));
  if (call === undefined) throw new Error('no records');
  return call;
}

describe('a call of an uploaded capture', () => {
  it('is one when no front end has reported it', () => {
    const call = callFoldedSingly(uploads);
    expect(isUploaded(call)).toBe(true);
    expect(call).toMatchObject({ feeds: ['upload~carol~fe1'], frontEnds: ['upload~carol~fe1'] });
  });

  it('changes nothing in the call that front ends report with the same CallId, in whatever order records arrive', () => {
    const expected = { ...callFoldedSingly(reported), version: uploads.length + reported.length };
    fc.assert(
      fc.property(fc.shuffledSubarray([...uploads, ...reported], { minLength: 5 }), (records) => {
        const call = callFoldedSingly(records);
        expect(call).toEqual(expected);
        expect(isUploaded(call)).toBe(false);
      }),
    );
  });

  it('has a higher version with each record, so that readers see the change', () => {
    const versions = [...uploads, ...reported].map((_, n, all) => callFoldedSingly(all.slice(0, n + 1)).version);
    expect(versions).toEqual([1, 2, 3, 4, 5]);
  });
});
