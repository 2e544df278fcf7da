import { ActivityReports } from './activity.js';

describe('activity', () => {
  let now = 0;
  let reports: number[];
  let failure: Error | undefined;
  let activity: ActivityReports;

  beforeEach(() => {
    [now, reports, failure] = [0, [], undefined];
    const report = async (): Promise<void> => {
      if (failure !== undefined) throw failure;
      reports.push(now);
    };
    activity = new ActivityReports({ report, now: () => now });
  });

  it('is reported at once, and then once a minute', async () => {
    for (now = 0; now <= 120_000; now += 10_000) await activity.active();
    expect(reports).toEqual([0, 60_000, 120_000]);
  });

  it('is reported again at once where that failed', async () => {
    failure = new Error('down');
    await expect(activity.active()).rejects.toThrow('down');
    failure = undefined;
    await activity.active();
    expect(reports).toEqual([0]);
  });
});
