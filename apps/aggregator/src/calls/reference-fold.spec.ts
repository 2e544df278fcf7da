import * as fc from 'fast-check';
import { anyScenario, scenarioRecords, type Scenario } from '../../test/call-scenario.js';
import { asReference, referenceCall } from '../../test/reference-call.js';
import type { FeedRecord } from './feed-record.js';
import { fold } from './fold.js';

/** Records as they may arrive: in any order, and split into batches anywhere. */
function anyArrival(scenario: fc.Arbitrary<Scenario>): fc.Arbitrary<{
  scenario: Scenario;
  batches: readonly (readonly FeedRecord[])[];
}> {
  return scenario.chain((chosen) => {
    const records = [...scenarioRecords(chosen)];
    return fc
      .tuple(fc.shuffledSubarray(records, { minLength: records.length }), fc.array(fc.nat(4), { minLength: 1 }))
      .map(([arrived, sizes]) => ({ scenario: chosen, batches: cut(arrived, sizes) }));
  });
}

function cut(records: readonly FeedRecord[], sizes: readonly number[]): FeedRecord[][] {
  const batches: FeedRecord[][] = [];
  for (let at = 0, n = 0; at < records.length; n++) {
    const size = 1 + (sizes[n % sizes.length] ?? 0);
    batches.push(records.slice(at, at + size));
    at += size;
  }
  return batches;
}

function permutationsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe.each([1, 2, 3])('a call that %d front ends report', (frontEnds) => {
  it('is the same in any order and any batches, and equal to what an observer would have seen', () => {
    fc.assert(
      fc.property(anyArrival(anyScenario(frontEnds)), ({ scenario, batches }) => {
        const inTurn = batches.reduce<readonly FeedRecord[]>((known, batch) => fold(known, batch).records, []);
        const { call } = fold(inTurn, []);
        expect(call).toEqual(fold([], scenarioRecords(scenario)).call);
        expect(asReference(call)).toEqual(referenceCall(scenario.steps));
        expect(call.version).toBe(scenario.steps.length * frontEnds);
      }),
      { numRuns: 150 },
    );
  });

  it('is the same when the records are received in another order', () => {
    fc.assert(
      fc.property(anyArrival(anyScenario(frontEnds)), ({ scenario, batches }) => {
        const arrived = batches.flat().map((record, n) => ({ ...record, receivedAt: Date.UTC(2026, 2, 3) + n }));
        expect(asReference(fold([], arrived).call)).toEqual(referenceCall(scenario.steps));
      }),
      { numRuns: 100 },
    );
  });
});

describe('an ordinary call', () => {
  const steps = [
    { what: 'invite' },
    { what: 'start', medium: 'audio' },
    { what: 'hold' },
    { what: 'retrieve' },
    { what: 'bye' },
    { what: 'report' },
  ] as const;
  const records = scenarioRecords({ steps, clocks: [0] });

  it('is the same in each of its 720 orders', () => {
    const { call } = fold([], records);
    const orders = permutationsOf(records);
    expect(orders).toHaveLength(720);
    for (const order of orders) {
      const known = order.reduce<readonly FeedRecord[]>((before, record) => fold(before, [record]).records, []);
      expect(fold(known, []).call).toEqual(call);
    }
    expect(asReference(call)).toEqual(referenceCall(steps));
  });

  it.each(steps.map(({ what }, index) => [what, index] as const))('is what remains without its %s', (_what, missed) => {
    expect(asReference(fold([], records.toSpliced(missed, 1)).call)).toEqual(referenceCall(steps, missed));
  });
});

describe('a call with one lost record', () => {
  it('is the same when another front end has the record', () => {
    fc.assert(
      fc.property(anyScenario(2), fc.nat(), (scenario, lost) => {
        const records = scenarioRecords(scenario);
        const rest = records.toSpliced(lost % records.length, 1);
        expect(asReference(fold([], rest).call)).toEqual(referenceCall(scenario.steps));
      }),
      { numRuns: 300 },
    );
  });

  it('is what an observer who missed that moment would have seen, when no other front end has the record', () => {
    fc.assert(
      fc.property(
        anyScenario(1).filter(({ steps }) => steps.length > 1),
        fc.nat(),
        (scenario, pick) => {
          const missed = pick % scenario.steps.length;
          const { call } = fold([], scenarioRecords(scenario).toSpliced(missed, 1));
          const known = asReference(call);
          const reference = referenceCall(scenario.steps, missed);
          // All streams may have ended without a `Bye`; then the streams determine the duration.
          expect(known).toEqual({ ...reference, seconds: reference.seconds ?? known.seconds });
        },
      ),
      { numRuns: 500 },
    );
  });
});
