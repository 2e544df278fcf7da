import { worstFirst } from './worst-first.js';

describe('the alerts of the banner', () => {
  it('are critical ones first, then the newest', () => {
    const alert = (
      severity: 'warning' | 'critical',
      hour: number,
    ): { severity: typeof severity; startsAt: string } => ({
      severity,
      startsAt: `2026-03-02T0${hour}:00:00Z`,
    });
    const alerts = [alert('warning', 3), alert('critical', 1), alert('warning', 4), alert('critical', 2)];
    expect(worstFirst(alerts)).toEqual([alerts[3], alerts[1], alerts[2], alerts[0]]);
  });
});
