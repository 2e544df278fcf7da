import { RoundTrips } from './round-trips.js';

const [ALICES, BOBS] = [0xa11ce, 0xb0b];
const TICKS = 65.536;

/** Captured between the parties: Alice is 30 ms away, there and back, and Bob 170 ms. */
describe('RoundTrips', () => {
  let trips: RoundTrips;

  function report(ssrc: number, stamp: number, capturedAt: number, observer = ''): void {
    trips.addReport({ ssrc, stamp }, { capturedAt, observer });
  }

  /** A receiver answers after this delay. */
  function answer(ssrc: number, stamp: number, delayMs: number, capturedAt: number, observer = ''): void {
    const lastReport = { stamp, delay: Math.round(delayMs * TICKS) };
    const receiver = ssrc === ALICES ? 'callee' : 'caller';
    trips.addAnswer({ ssrc, lastReport }, receiver, 0, { capturedAt, observer });
  }

  beforeEach(() => {
    trips = new RoundTrips();
  });

  it('is the sum of both halves, seen from anywhere between the parties', () => {
    report(ALICES, 111, 1_000);
    answer(ALICES, 111, 2_000, 3_170);
    expect(trips.of(0).mean).toBeUndefined();
    report(BOBS, 222, 3_170);
    answer(BOBS, 222, 500, 3_700);
    expect(trips.of(0).mean).toBeCloseTo(200, 1);
    report(ALICES, 333, 6_000);
    answer(ALICES, 333, 100, 6_370);
    expect(trips.of(0).mean).toBeCloseTo(250, 1);
    expect(trips.of(0).max).toBeCloseTo(300, 1);
    expect(trips.of(1).mean).toBeUndefined();
  });

  it('counts the first of the copies on both sides of a relay', () => {
    report(ALICES, 111, 1_000);
    report(ALICES, 111, 1_004);
    answer(ALICES, 111, 0, 1_170);
    report(BOBS, 222, 1_170);
    answer(ALICES, 111, 0, 1_174);
    report(BOBS, 222, 1_174);
    answer(BOBS, 222, 0, 1_200);
    answer(BOBS, 222, 0, 1_204);
    expect([trips.of(0).mean, trips.of(0).max]).toEqual([200, 200]);
  });

  it('accepts stamps that an agent rounded', () => {
    report(ALICES, 111, 1_000);
    answer(ALICES, 112, 0, 1_170);
    report(BOBS, 222, 1_000);
    answer(BOBS, 220, 0, 1_030);
    expect(trips.of(0).mean).toBe(200);
  });

  it('compares no times of two agents', () => {
    report(ALICES, 111, 1_000, 'one');
    answer(ALICES, 111, 0, 900_170, 'two');
    report(BOBS, 222, 1_000, 'one');
    answer(BOBS, 222, 0, 1_030, 'one');
    expect(trips.of(0).mean).toBeUndefined();
  });

  it.each([
    ['a clock that is set back', 900],
    ['a clock that is set ahead', 3_600_000],
  ])('ignores %s', (_what, at) => {
    report(BOBS, 222, 1_000);
    answer(BOBS, 222, 0, 1_030);
    report(ALICES, 111, 1_000);
    answer(ALICES, 111, 0, at);
    expect(trips.of(0).mean).toBeUndefined();
  });

  it('remembers a bounded number of reports', () => {
    for (let n = 0; n < 10_000; n++) report(n, n * 10, n);
    for (let n = 0; n < 10_000; n++) answer(n, n * 10, 0, n + 5, `${n}`);
    answer(1, 10, 0, 6);
    report(BOBS, 222, 1_000);
    answer(BOBS, 222, 0, 1_030);
    expect(trips.of(0).mean).toBeUndefined();
  });
});
