import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example } from '../../test/call-examples.js';
import type { Call } from './call.js';
import type { FeedRecord } from './feed-record.js';
import { fold } from './fold.js';

/** One record of D: an invitation, or the reply to the request of that number. */
function report(second: string, cseq: number, code?: number, frontEnd = 'fe1.example.test'): FeedRecord {
  const event: RecordEvent =
    code === undefined
      ? { kind: 'invite', caller: anna, callee: ben }
      : { kind: 'error', endpoints: [anna, ben], responseCode: { code } };
  const made = example([event], { at: `00:${second}`, frontEnd, connection: { cseq } });
  return { ...made, record: { ...made.record, version: 'D' } };
}

/** A password is requested and sent, and then the callee is busy. */
const steps = {
  invitation: report('01', 1),
  challenge: report('02', 1, 407),
  'second invitation': report('03', 2),
  refusal: report('04', 2, 486),
};
const records = Object.values(steps);

/** One by one, as they may arrive. */
function callFoldedInSteps(arrived: readonly FeedRecord[]): Call {
  const known = arrived.reduce<readonly FeedRecord[]>((before, record) => fold(before, [record]).records, []);
  return fold(known, []).call;
}

function permutationsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe('a call that fails', () => {
  it('is the same in each of its 24 orders', () => {
    const orders = permutationsOf(records);
    expect(orders).toHaveLength(24);
    for (const order of orders) {
      expect(callFoldedInSteps(order)).toEqual(callFoldedInSteps(records));
    }
    expect(callFoldedInSteps(records)).toMatchObject({
      state: 'failed',
      endReason: 'error',
      partial: false,
      duration: null,
      errors: [{ code: 407 }, { code: 486 }],
      version: 4,
    });
  });

  it.each([
    ['invitation', 'failed', [407, 486]],
    ['challenge', 'failed', [486]],
    ['second invitation', 'failed', [407, 486]],
    ['refusal', 'invited', [407]],
  ] as const)('is what remains without its %s: %s', (missed, state, codes) => {
    const call = callFoldedInSteps(records.filter((record) => record !== steps[missed]));
    expect([call.state, call.errors.map(({ code }) => code)]).toEqual([state, codes]);
  });

  it.each([
    ['1.0, which has no invitation', '1.0', false],
    ['D', 'D', true],
    ['C, which may leave out its version', undefined, true],
  ])('without an invitation in a record of %s is partial: %j', (_what, version, partial) => {
    const { version: _version, ...record } = steps.refusal.record;
    const refusal = { ...steps.refusal, record: { ...record, ...(version === undefined ? {} : { version }) } };
    expect(fold([refusal], []).call.partial).toBe(partial);
  });

  it('is complete when another front end, with another clock, has the record that the first one lost', () => {
    const other = 'fe2.example.test';
    const copies = [
      report('41', 1, undefined, other),
      report('42', 1, 407, other),
      report('43', 2, undefined, other),
      report('44', 2, 486, other),
    ];
    for (const order of permutationsOf(records)) {
      for (let lost = 0; lost < records.length; lost++) {
        const { state, partial, errors } = callFoldedInSteps([
          ...order.filter((record) => record !== records[lost]),
          ...copies,
        ]);
        expect([state, partial, errors.map(({ code }) => code)]).toEqual(['failed', false, [407, 486]]);
      }
    }
  });
});
