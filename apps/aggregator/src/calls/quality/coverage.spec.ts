import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example, report, stream } from '../../../test/call-examples.js';
import type { Coverage } from '../call.js';
import { deriveCall } from '../derive-call.js';

const audio = [stream('audio', anna, ben), stream('audio', ben, anna)];
const video = [stream('video', anna, ben), stream('video', ben, anna)];
const lost = { PacketLossRate: 0.2 };
const there = report(lost, { mediaType: 'audio' });
const back = report(lost, { mediaType: 'audio', from: ben, to: anna });

function derivedCoverage(...events: readonly RecordEvent[]): Coverage {
  return deriveCall([example(events)]).call.coverage;
}

describe('the coverage of a call', () => {
  it('is none without reports', () => {
    expect(derivedCoverage(...audio)).toBe('none');
  });

  it('is one when the reports speak of one direction, also when no stream is known', () => {
    expect(derivedCoverage(...audio, there)).toBe('one');
    expect(derivedCoverage(there)).toBe('one');
    expect(derivedCoverage(...audio, there, report(lost, { mediaType: 'audio' }))).toBe('one');
  });

  it('is both when both directions of every medium were judged', () => {
    expect(derivedCoverage(...audio, there, back)).toBe('both');
    expect(derivedCoverage(there, back)).toBe('both');
  });

  it('is one while a medium was not judged', () => {
    expect(derivedCoverage(...audio, ...video, there, back)).toBe('one');
  });

  it('expects of other media the directions that were reported', () => {
    const sharing = { mediaType: 'applicationsharing' };
    const shared = stream(sharing.mediaType, anna, ben);
    const judged = report({ SpoiledTilePercentTotal: 5 }, sharing);
    expect(derivedCoverage(shared, judged)).toBe('both');
    expect(derivedCoverage(shared, stream(sharing.mediaType, ben, anna), judged)).toBe('one');
  });

  it('does not count reports that could not be judged', () => {
    expect(derivedCoverage(...audio, report({ SomethingElse: 1 }, { mediaType: 'audio' }))).toBe('none');
    const few = report({ PacketUtilization: 20, ...lost }, { mediaType: 'audio', from: ben, to: anna });
    expect(derivedCoverage(...audio, there, few)).toBe('one');
  });

  it('is as the sender’s verdicts go where nothing can be judged by thresholds', () => {
    const verdict = { mediaType: 'audio', streamQuality: 'Good' };
    expect(derivedCoverage(report({}, verdict), report({}, { ...verdict, from: ben, to: anna }))).toBe('both');
  });
});
