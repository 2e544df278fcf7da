import { setImmediate as afterOthers } from 'node:timers/promises';
import { CoalescedTask } from './index.js';

/** A task whose runs are ended by the test; each resolves with its number. */
function taskOfTest(): { task: CoalescedTask<number>; ends: { ok(): void; fail(): void }[] } {
  const ends: { ok(): void; fail(): void }[] = [];
  const task = new CoalescedTask<number>(
    () =>
      new Promise((resolve, reject) => {
        const number = ends.length + 1;
        ends.push({ ok: () => resolve(number), fail: () => reject(new Error(`run ${number}`)) });
      }),
  );
  return { task, ends };
}

describe('CoalescedTask', () => {
  it('gives no caller a run that began before its call, and runs once for all calls during a run', async () => {
    const { task, ends } = taskOfTest();
    const first = task.run();
    const later = Array.from({ length: 300 }, () => task.run());
    ends[0]?.ok();
    expect(await first).toBe(1);
    await afterOthers();
    const latest = task.run();
    ends[1]?.ok();
    expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
    await afterOthers();
    ends[2]?.ok();
    expect(await latest).toBe(3);
    expect(ends).toHaveLength(3);
  });

  it('passes the error of a run to its callers only, and runs again for the next', async () => {
    const { task, ends } = taskOfTest();
    const first = task.run();
    const second = task.run();
    ends[0]?.fail();
    await expect(first).rejects.toThrow('run 1');
    await afterOthers();
    ends[1]?.ok();
    expect(await second).toBe(2);
    const third = task.run();
    ends[2]?.ok();
    expect(await third).toBe(3);
  });
});
