import { Script } from 'node:vm';

/** Work was interrupted: it took longer than it may, of the processor and not only by the clock. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';

  /** `wasBusy`: the processor was mostly with others meanwhile. */
  constructor(
    readonly limitMs: number,
    readonly wasBusy = false,
  ) {
    super(`it takes longer than ${limitMs} ms`);
  }
}

/** A script is the only thing that V8 interrupts; this one calls what it finds at a place that nothing else knows. */
const PLACE = Symbol.for('ringdown.time-limit.work');
const CALL_WORK = new Script(`globalThis[Symbol.for('ringdown.time-limit.work')]()`);
/** Of the context that scripts run in: under a test runner not the one of this module. */
const scriptGlobal: unknown = new Script('globalThis').runInThisContext();

/** A process that was stopped, or a machine that is busy with others, is not the fault of the work. */
export const TRIES = 3;
const OWN_SHARE = 0.5;

/**
 * What `work` returns, or throws. Throws {@link TookTooLong} when it takes longer than that: loops and expressions are
 * interrupted wherever they are, also in a `try`, and no `finally` runs. So `work` changes nothing that others rely on; it
 * may run again from its beginning. One call costs a fraction of a millisecond: a thread watches the time.
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return onceWithinTime(limitMs, work);
    } catch (error) {
      if (!(error instanceof TookTooLong) || !error.wasBusy || tries >= TRIES) throw error;
    }
  }
}

/** The same without another try, for those who have to give others their turn before. */
export function onceWithinTime<T>(limitMs: number, work: () => T): T {
  const before = process.threadCpuUsage();
  try {
    return interruptible(limitMs, work);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const { user, system } = process.threadCpuUsage(before);
    throw new TookTooLong(limitMs, (user + system) / 1_000 < limitMs * OWN_SHARE);
  }
}

function interruptible<T>(limitMs: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  const before: unknown = Reflect.get(Object(scriptGlobal), PLACE);
  Reflect.set(Object(scriptGlobal), PLACE, () => {
    result = { value: work() };
  });
  try {
    CALL_WORK.runInThisContext({ timeout: limitMs, displayErrors: false });
  } finally {
    // Work within work has put its own there.
    Reflect.set(Object(scriptGlobal), PLACE, before);
  }
  if (result === undefined) throw new Error('work that was called has neither returned nor thrown');
  return result.value;
}

function isInterruption(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
