import { applyTimeZone } from '../parts/time/time-zone.js';
import { axisTimeLabels } from './chart-style.js';

const AT = Date.parse('2026-11-21T14:15:00Z') / 1000;
const marks = (step: number): readonly number[] => Array.from({ length: 8 }, (_, index) => AT + index * step);
const clock = (seconds: number, fields: Intl.DateTimeFormatOptions = {}): string =>
  new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC', ...fields }).format(
    seconds * 1000,
  );

describe('the labels of a time axis', () => {
  beforeAll(() => applyTimeZone('UTC'));
  afterAll(() => applyTimeZone('local'));

  it.each([0.25, 1, 5, 10, 30, 60, 300, 3_600, 86_400])('are never repeated at marks %d s apart', (step) => {
    const labels = axisTimeLabels(marks(step)).filter((label) => label !== '');
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('have seconds only if marks are less than a minute apart', () => {
    expect(axisTimeLabels(marks(10))[1]).toBe(clock(AT + 10, { second: '2-digit' }));
    expect(axisTimeLabels(marks(60))[1]).toBe(clock(AT + 60));
  });

  it('are the day at its first second only', () => {
    const midnight = Date.parse('2026-11-21T00:00:00Z') / 1000;
    const [first, second] = axisTimeLabels([midnight, midnight + 30]);
    expect(first).not.toBe(clock(midnight, { second: '2-digit' }));
    expect(second).toBe(clock(midnight + 30, { second: '2-digit' }));
  });
});
