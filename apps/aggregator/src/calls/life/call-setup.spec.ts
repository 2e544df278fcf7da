import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example, stream, type ExampleOptions } from '../../../test/call-examples.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';

const INVITE: RecordEvent = { kind: 'invite', caller: anna, callee: ben };
const START = stream('audio', anna, ben, { kind: 'start' });

function report(event: RecordEvent, options: ExampleOptions): FeedRecord {
  const made = example([event], options);
  return { ...made, record: { ...made.record, version: 'D' } };
}

describe('the setup of a call', () => {
  it('is the time from the invitation to the first media, and what the sender has measured of it', () => {
    const further = { PostDialDelay: '1500', RingTime: '4250' };
    const records = [report(INVITE, { at: '00:01' }), report(START, { at: '00:07.5', connection: { further } })];
    expect(fold(records, []).call).toMatchObject({
      invitedAt: '2026-03-02T10:00:01.000Z',
      setupSeconds: 6.5,
      ringSeconds: 4.25,
      postDialSeconds: 1.5,
    });
  });

  it('is never computed from the clocks of two front ends', () => {
    const records = [report(INVITE, { at: '00:01', frontEnd: 'fe1' }), report(START, { at: '00:07', frontEnd: 'fe2' })];
    expect(fold(records, []).call).toMatchObject({ invitedAt: '2026-03-02T10:00:01.000Z', setupSeconds: null });
  });

  it('has the longest time if a front end missed the first invitation', () => {
    const records = [
      report(INVITE, { at: '00:01', frontEnd: 'fe1' }),
      report(START, { at: '00:07', frontEnd: 'fe1' }),
      report(INVITE, { at: '00:03', frontEnd: 'fe2' }),
      report(START, { at: '00:07.1', frontEnd: 'fe2' }),
    ];
    expect(fold(records, []).call.setupSeconds).toBe(6);
  });

  it('has the ring time of a call that was not answered, and no setup', () => {
    const further = { PostDialDelay: '1000', RingTime: '30000' };
    const refusal: RecordEvent = { kind: 'error', endpoints: [anna, ben], responseCode: { code: 480 } };
    const records = [report(INVITE, { at: '00:01' }), report(refusal, { at: '00:32', connection: { further } })];
    expect(fold(records, []).call).toMatchObject({ setupSeconds: null, ringSeconds: 30, postDialSeconds: 1 });
  });

  it.each(['', '-1', '1.5', '1e3', '86400001', '99999999999', 'long'])('ignores a ring time of %j', (RingTime) => {
    const records = [report(INVITE, { at: '00:01', connection: { further: { RingTime } } })];
    expect(fold(records, []).call.ringSeconds).toBeNull();
  });

  it('is unknown in 1.0, which has no invitations', () => {
    expect(fold([example([stream('audio', anna, ben)])], []).call).toMatchObject({
      invitedAt: null,
      setupSeconds: null,
      ringSeconds: null,
      postDialSeconds: null,
    });
  });
});
