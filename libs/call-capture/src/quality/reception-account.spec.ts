import * as fc from 'fast-check';
import { SimulatedReceiver, type Fate, type WrittenReport } from '../../test/simulated-receiver.js';
import { ReceptionAccount } from './reception-account.js';
import type { Reception } from './reception-interval.js';

const RATE = 50;

/** The loss by these reports, of a stream that began at 0. */
function accountedLoss(
  reports: readonly (Reception & { readonly at?: number })[],
  sent?: (at: number) => number,
  startedAt?: number,
): number {
  const account = new ReceptionAccount({ startedAt: startedAt ?? 0 });
  for (const { at = 0, ...report } of reports) {
    account.add(report, { at, flows: true, ...(sent ? { sent: sent(at), sentAt: at, isWhole: true } : {}) });
  }
  const { expected, lost } = account.totals();
  return expected === 0 ? Number.NaN : lost / expected;
}

/** 250 packets each five seconds; `lost` of each interval. */
function steady(losses: readonly number[], perInterval = 250): WrittenReport[] {
  let total = 0;
  return losses.map((lost, n) => {
    total += lost;
    const highest = perInterval * (n + 1);
    return {
      at: 5_000 * (n + 1),
      lossRate: Math.floor((lost * 256) / perInterval) / 256,
      lost: total,
      highest,
      jitterTicks: n,
    };
  });
}

describe('the loss by the reports of a receiver', () => {
  it('weighs each interval by its packets', () => {
    const last = { at: 60_050, lossRate: 0.5, lost: 1, highest: 3_002, jitterTicks: 8 };
    expect(accountedLoss([...steady(Array.from({ length: 12 }, () => 0)), last])).toBeCloseTo(1 / 3_002, 4);
  });

  it('estimates the packets before the first report by the rate of the later ones', () => {
    const reports = [
      { at: 50_000, lossRate: 0, lost: 0, highest: 40_000 + 2_500, jitterTicks: 1 },
      { at: 52_000, lossRate: 0.5, lost: 50, highest: 40_000 + 2_600, jitterTicks: 2 },
    ];
    expect(accountedLoss(reports)).toBeCloseTo(50 / 2_600, 4);
  });

  it('is that of all packets if there is one report at the end', () => {
    expect(accountedLoss([{ at: 54_000, lossRate: 3 / 256, lost: 500, highest: 2_700, jitterTicks: 1 }])).toBeCloseTo(
      500 / 2_700,
      4,
    );
    expect(accountedLoss([{ at: 54_000, lossRate: 3 / 256, lost: 500, highest: 61_000, jitterTicks: 1 }])).toBeCloseTo(
      500 / 2_700,
      4,
    );
  });

  it('is at most what the fraction says if media began before the answer', () => {
    expect(accountedLoss([{ at: 1_000, lossRate: 0.25, lost: 250, highest: 31_000, jitterTicks: 1 }])).toBeCloseTo(
      0.25,
      4,
    );
  });

  it('includes reports that were not captured', () => {
    const all = steady([0, 0, 125, 125, 0, 0, 0, 0]);
    expect(accountedLoss([...all.slice(0, 2), ...all.slice(4)])).toBeCloseTo(250 / 2_000, 4);
  });

  it('is not changed by copies, late copies and another count of cycles', () => {
    const all = steady([0, 25, 0, 25]);
    const late = { ...all[1], at: 16_000 };
    expect(accountedLoss(all.flatMap((each) => [each, { ...each, at: each.at + 3 }]))).toBeCloseTo(0.05, 4);
    expect(accountedLoss([...all.slice(0, 3), late, ...all.slice(3)])).toBeCloseTo(0.05, 4);
    const wrapping = steady([0, 25, 0, 25]).map((each) => ({ ...each, highest: (each.highest + 65_000) & 0xff_ff }));
    expect(accountedLoss(wrapping)).toBeCloseTo(0.05, 4);
  });

  it('goes on by the fraction when the cumulative number is full', () => {
    const full = steady([0, 0, 0, 0]).map((each) => ({
      ...each,
      lossRate: 0.25,
      lost: undefined,
      highest: each.highest + 1_000_000,
    }));
    expect(accountedLoss(full)).toBeCloseTo(0.25, 4);
  });

  it('is not negative where duplicates arrived', () => {
    expect(accountedLoss(steady([0, -40, 0, -40]))).toBe(0);
    expect(accountedLoss(steady([0, -40, 60, 0]))).toBeCloseTo(20 / 1_000, 4);
  });

  it('is none if duplicates hide all of it, in the only report, too', () => {
    const hidden = { at: 3_200, lossRate: 0.06, lost: -1, highest: 161, jitterTicks: 1 };
    expect(accountedLoss([hidden], (at) => at / 20)).toBe(0);
  });

  it('does not take duplicates beside a loss for a receiver that begins to count again', () => {
    const reports = [
      { at: 6_000, lossRate: 0.07, lost: 21, highest: 302, jitterTicks: 1 },
      { at: 8_000, lossRate: 0.04, lost: 20, highest: 408, jitterTicks: 2 },
    ];
    const loss = accountedLoss(reports, (at) => at / 20);
    expect(loss).toBeGreaterThan(0.045);
    expect(loss).toBeLessThan(0.065);
  });

  it('goes on when the receiver begins to count again', () => {
    const [before, after] = [steady([0, 50, 50, 0]), steady([0, 50, 0, 0])];
    const restarted = after.map((each) => ({ ...each, at: each.at + 20_000, highest: each.highest + 500_000 }));
    expect(accountedLoss([...before, ...restarted])).toBeCloseTo(150 / 2_000, 3);
    const [first, second, third, fourth] = steady([0, 50, 25, 25]);
    const counted = [first, second, { ...third, lost: 25 }, { ...fourth, lost: 50 }];
    expect(accountedLoss(counted.flatMap((each) => (each ? [{ ...each }] : [])))).toBeCloseTo(100 / 1_000, 3);
  });

  it('weighs by time where agents write no numbers, or always the same', () => {
    const reports = [
      { at: 50_000, lossRate: 0, jitterTicks: 1 },
      { at: 52_000, lossRate: 0.5, jitterTicks: 2 },
    ];
    expect(accountedLoss(reports)).toBeCloseTo(0.5 * (2_000 / 7_000), 4);
    expect(accountedLoss(reports.map((each) => ({ ...each, lost: 0, highest: 0 })))).toBeCloseTo(
      0.5 * (2_000 / 7_000),
      4,
    );
  });

  it('is all that was sent if nothing arrived', () => {
    const nothing = Array.from({ length: 12 }, (_, n) => ({
      at: 5_000 * (n + 1),
      lossRate: 0,
      lost: 1,
      highest: 0,
      jitterTicks: 8,
    }));
    expect(accountedLoss(nothing, (at) => at / 20)).toBe(1);
    expect(accountedLoss(nothing)).toBeNaN();
  });

  it('includes what was sent after the last packet that arrived', () => {
    const stopped = Array.from({ length: 12 }, (_, n) => ({
      at: 5_000 * (n + 1),
      lossRate: 0,
      lost: 0,
      highest: Math.min(250 * (n + 1), 1_500),
      jitterTicks: Math.min(n, 5),
    }));
    expect(accountedLoss(stopped, (at) => at / 20)).toBeCloseTo(0.5, 4);
    // The sender stops, too.
    expect(accountedLoss(stopped, (at) => Math.min(1_500, at / 20))).toBe(0);
  });

  it('of a stop that ends is what the numbers say', () => {
    const all = steady([0, 0, 0, 0, 0, 0]);
    const stalled = [...all.slice(0, 2), ...[15_000, 20_000].map((at) => ({ ...all[1], at }))];
    const resumed = { ...all[5], at: 30_000, lost: 500, lossRate: 0.5 };
    expect(accountedLoss([...stalled, resumed], (at) => at / 20)).toBeCloseTo(500 / 1_500, 4);
  });

  it('does not know of a time in which nothing arrived, unless the sender counts or it is on hold', () => {
    const unexplained = (flows: boolean): number => {
      const account = new ReceptionAccount({ startedAt: 0 });
      for (let n = 1; n <= 12; n++)
        account.add({ lossRate: 0, lost: 0, highest: 250 * Math.min(n, 6) }, { at: 5_000 * n, flows });
      return account.totals().unexplainedMs;
    };
    expect(unexplained(true)).toBe(30_000);
    expect(unexplained(false)).toBe(0);
  });

  it('includes the reports without a block after the receiver stopped', () => {
    const account = new ReceptionAccount({ startedAt: 0 });
    for (let n = 1; n <= 6; n++) {
      account.add(
        { lossRate: 0, lost: 0, highest: 250 * n },
        { at: 5_000 * n, flows: true, sent: 250 * n, sentAt: 5_000 * n },
      );
    }
    for (let n = 7; n <= 12; n++) account.addNothing({ at: 5_000 * n, flows: true, sent: 250 * n, sentAt: 5_000 * n });
    const { expected, lost } = account.totals();
    expect(lost / expected).toBeGreaterThan(0.45);
    expect(lost / expected).toBeLessThan(0.55);
  });
});

describe('the loss of any stream, by any of its reports', () => {
  const interval = fc.record({
    packets: fc.integer({ min: 50, max: 500 }),
    // Of a hundred packets.
    losses: fc.nat(60),
    duplicates: fc.nat(3),
    isCaptured: fc.boolean(),
    copies: fc.nat(2),
  });

  // Duplicates hide losses: then it is not certain whether a report that counts none does not count them.
  it.each([
    ['without duplicates', false, 1.7],
    ['with duplicates', true, 1],
  ])('is what a receiver of RFC 3550 counts up to the last captured report, %s', (_what, hasDuplicates, precision) => {
    const intervals = fc.array(interval, { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(65_535), intervals, fc.nat(1_000), (first, all, seed) => {
        const receiver = new SimulatedReceiver(first + 65_536);
        const account = new ReceptionAccount({ startedAt: 0 });
        let truth = 0;
        let counted = 0;
        for (const { packets, losses, duplicates, isCaptured, copies } of all) {
          // The first packet that arrives is the base of the receiver; what is lost after the last one is not in its report.
          for (let n = 0; n < packets; n++) {
            const dice = (n * 37 + seed) % 100;
            const fate: Fate =
              dice < losses ? 'is lost' : hasDuplicates && dice >= 100 - duplicates ? 'arrives twice' : 'arrives';
            receiver.packet(receiver.sent === 0 || n === packets - 1 ? 'arrives' : fate);
          }
          const at = (receiver.sent * 1_000) / RATE;
          const report = receiver.report(at);
          if (!isCaptured) continue;
          // As of an agent that does not count.
          fc.pre(report.lossRate === 0 || report.lost > counted);
          counted = report.lost;
          truth = receiver.lossRate;
          // The sender's own count tells how many packets there were up to the first report.
          const sender = { flows: true, sent: receiver.sent, sentAt: at, isWhole: true };
          for (let n = 0; n <= copies; n++) account.add(report, { at: at + n, ...sender });
        }
        const { expected, lost } = account.totals();
        expect(expected === 0 ? 0 : lost / expected).toBeCloseTo(truth, precision);
      }),
      { numRuns: 300 },
    );
  });

  it('is about that without the count of the sender, whatever the clock of its agent is', () => {
    const minute = fc.array(fc.nat(30), { minLength: 12, maxLength: 12 });
    const extended = fc.oneof(fc.nat(65_535), fc.integer({ min: 65_536, max: 400_000 }));
    fc.assert(
      fc.property(
        extended,
        fc.boolean(),
        minute,
        fc.integer({ min: -86_400_000, max: 86_400_000 }),
        fc.nat(5_000),
        (first, hasCycles, all, aheadMs, firstMs) => {
          const receiver = new SimulatedReceiver(first);
          const account = new ReceptionAccount({ startedAt: 0 });
          for (const [interval, losses] of all.entries()) {
            const packets = interval === 0 ? Math.max(20, firstMs / 20) : 250;
            for (let n = 0; n < packets; n++) receiver.packet(n > 0 && (n * 37) % 100 < losses ? 'is lost' : 'arrives');
            const report = receiver.report(0);
            const highest = hasCycles ? report.highest : report.highest & 0xff_ff;
            account.add({ ...report, highest }, { at: aheadMs + firstMs + 5_000 * interval, flows: true });
          }
          const { expected, lost } = account.totals(firstMs + 5_000 * 11);
          expect(Math.abs(lost / expected - receiver.lossRate)).toBeLessThan(0.03);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is between 0 and 1 for any numbers', () => {
    const report = fc.record({
      lossRate: fc.option(
        fc.integer({ min: 0, max: 255 }).map((each) => each / 256),
        { nil: undefined },
      ),
      lost: fc.option(fc.integer({ min: -8_388_607, max: 8_388_606 }), { nil: undefined }),
      highest: fc.option(fc.nat(0xff_ff_ff_ff), { nil: undefined }),
      jitterTicks: fc.option(fc.nat(80_000), { nil: undefined }),
      at: fc.integer({ min: -100_000, max: 100_000 }),
      sent: fc.option(fc.nat(100_000), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(report, { minLength: 1, maxLength: 20 }),
        fc.option(fc.nat(100_000), { nil: undefined }),
        (reports, startedAt) => {
          const account = new ReceptionAccount({ startedAt });
          for (const { at, sent, ...each } of reports)
            account.add(each, { at, flows: true, sent, sentAt: sent === undefined ? undefined : at });
          const { expected, lost } = account.totals();
          expect(lost).toBeGreaterThanOrEqual(0);
          expect(lost).toBeLessThanOrEqual(expected + 1e-6);
        },
      ),
    );
  });
});
