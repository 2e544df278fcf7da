import { Fault } from '@ringdown/web-server/errors';
import { requestedPeriod } from './requested-period.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const HOUR_MS = 3_600_000;
const at = (hours: number): Date => new Date(NOW + hours * HOUR_MS);

function problem(given: Parameters<typeof requestedPeriod>[0]): unknown {
  try {
    return requestedPeriod(given, NOW, HOUR_MS);
  } catch (error) {
    return error instanceof Fault ? error.details.parameters : error;
  }
}

describe('the time that a request asks for', () => {
  it.each([
    ['ends now and is as long as usual', {}, { from: at(-1), to: at(0) }],
    ['ends now where only its beginning is given', { from: at(-5) }, { from: at(-5), to: at(0) }],
    ['is as long as usual where only its end is given', { to: at(3) }, { from: at(2), to: at(3) }],
    ['may be in the future with both ends', { from: at(1), to: at(3) }, { from: at(1), to: at(3) }],
  ])('%s', (_what, given, expected) => expect(requestedPeriod(given, NOW, HOUR_MS)).toEqual(expected));

  it.each([
    ['before its end', { from: at(1), to: at(1) }, 'from must be before to'],
    ['before now without an end', { from: at(0) }, 'from must be before now where to is left out'],
  ])('begins %s', (_when, given, reason) => expect(problem(given)).toEqual([{ name: 'from', reason, code: 'order' }]));
});
