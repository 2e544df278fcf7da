import { timeOfReceipt } from './time-of-receipt.js';

const NOW = Date.UTC(2026, 2, 4);
const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

describe('the time of receipt of a record', () => {
  const time = { now: NOW, isBusRight: true };
  const storedAt = NOW - HOUR;

  it('is the collector’s time, a moment before the bus stored the record', () => {
    expect(timeOfReceipt({ receivedAt: storedAt - SECOND, storedAt }, time)).toBe(storedAt - SECOND);
    expect(timeOfReceipt({ receivedAt: storedAt - 60 * SECOND, storedAt }, time)).toBe(storedAt - 60 * SECOND);
  });

  it.each([
    ['ahead', 40 * DAY],
    ['ahead by less than the record waited', 60 * SECOND],
    ['behind', -40 * DAY],
  ])('is the time of storage on the bus when the clock of the collector is %s', (_how, wrong) => {
    expect(timeOfReceipt({ receivedAt: storedAt + wrong, storedAt }, time)).toBe(storedAt);
  });

  it('stays the first one when a record is replayed', () => {
    const receivedAt = storedAt - 3 * DAY;
    expect(timeOfReceipt({ receivedAt, storedAt, replayed: true }, time)).toBe(receivedAt);
    expect(timeOfReceipt({ receivedAt: NOW + DAY, storedAt, replayed: true }, time)).toBe(storedAt);
  });

  it.each([
    ['ahead', 40 * DAY],
    ['behind', -40 * DAY],
  ])('is the collector’s time, but not in the future, when the clock of the bus is %s', (_how, wrong) => {
    const wrongBus = { now: NOW, isBusRight: false };
    expect(timeOfReceipt({ receivedAt: NOW - SECOND, storedAt: NOW + wrong }, wrongBus)).toBe(NOW - SECOND);
    expect(timeOfReceipt({ receivedAt: NOW + DAY, storedAt: NOW + wrong }, wrongBus)).toBe(NOW);
  });

  it('ignores the time of a bus whose clock was ahead when it stored the record', () => {
    expect(timeOfReceipt({ receivedAt: NOW - SECOND, storedAt: NOW + DAY }, time)).toBe(NOW - SECOND);
  });
});
