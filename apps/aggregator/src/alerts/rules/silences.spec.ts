import { isSilenced, type Silence } from './silences.js';

const at = (time: string): number => Date.parse(`2026-03-${time}:00Z`);

describe('the silences of a rule', () => {
  it('apply once in a period, without its end', () => {
    const silences: readonly Silence[] = [{ from: '2026-03-02T10:00:00Z', to: '2026-03-02T11:00:00+00:00' }];
    const times = ['02T09:59', '02T10:00', '02T10:59', '02T11:00', '09T10:30'];
    expect(times.map((time) => isSilenced(silences, at(time)))).toEqual([false, true, true, false, false]);
  });

  it('apply every week on the days of their beginning', () => {
    // 2026-03-02 is a Monday.
    const silences: readonly Silence[] = [{ days: ['monday', 'sunday'], from: '08:00', to: '09:30' }];
    const times = ['01T08:00', '02T07:59', '02T08:00', '02T09:29', '02T09:30', '03T08:30', '09T08:30'];
    expect(times.map((time) => isSilenced(silences, at(time)))).toEqual([true, false, true, true, false, false, true]);
  });

  it('last beyond midnight', () => {
    const night: readonly Silence[] = [{ days: ['monday'], from: '22:00', to: '06:00' }];
    const times = ['02T05:00', '02T21:59', '02T22:00', '03T00:00', '03T05:59', '03T06:00', '03T22:00'];
    expect(times.map((time) => isSilenced(night, at(time)))).toEqual([false, false, true, true, true, false, false]);
    const wholeDay: readonly Silence[] = [{ days: ['monday'], from: '00:00', to: '00:00' }];
    expect(['01T23:59', '02T00:00', '02T23:59', '03T00:00'].map((time) => isSilenced(wholeDay, at(time)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
