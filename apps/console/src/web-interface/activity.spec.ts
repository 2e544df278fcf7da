import { ActivityReports } from './activity.js';

describe('ActivityReports', () => {
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

  it('reports activity at once, and then once a minute', async () => {
    for (now = 0; now <= 120_000; now += 10_000) await activity.report();
    expect(reports).toEqual([0, 60_000, 120_000]);
  });

  it('reports again at once after a failure', async () => {
    failure = new Error('down');
    await expect(activity.report()).rejects.toThrow('down');
    failure = undefined;
    await activity.report();
    expect(reports).toEqual([0]);
  });
});
