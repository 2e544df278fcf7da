import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicTask } from './index.js';

describe('PeriodicTask', () => {
  it('starts no run while the last one is not finished, and resumes after it', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const run = (): Promise<void> => {
      begun[runs]?.resolve();
      return gates[runs++]?.promise ?? Promise.resolve();
    };
    const task = new PeriodicTask({ periodMs: 1, run });
    await begun[0]?.promise;
    await sleep(20);
    expect(runs).toBe(1);
    gates[0]?.resolve();
    await begun[1]?.promise;
    gates[1]?.resolve();
    await task.stop();
  });

  it('waits for the current run when stopped, and starts no other', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const task = new PeriodicTask({
      periodMs: 1,
      run: () => {
        runs++;
        begun.resolve();
        return gate.promise;
      },
    });
    await begun.promise;
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await sleep(10);
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    await sleep(10);
    expect(runs).toBe(1);
  });
});
