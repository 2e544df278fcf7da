import { Script } from 'node:vm';

/** Work was interrupted: it exceeded its limit in CPU time, not only by the clock. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';

  /** `wasBusy`: the CPU was mostly used by others meanwhile. */
  constructor(
    readonly limitMs: number,
    readonly wasBusy = false,
  ) {
    super(`the time limit of ${limitMs} ms was exceeded`);
  }
}

/** V8 can only interrupt a script; the script calls the function stored under this symbol. */
const PLACE = Symbol.for('ringdown.time-limit.work');
const CALL_WORK = new Script(`globalThis[Symbol.for('ringdown.time-limit.work')]()`);
/** The global of the context in which scripts run: under a test runner it differs from that of this module. */
const scriptGlobal: unknown = new Script('globalThis').runInThisContext();

/** A process that was stopped, or a busy machine, must not fail the work. */
export const TRIES = 3;
const OWN_SHARE = 0.5;

/**
 * The result of `work`, or its error. Throws {@link TimeLimitExceeded} when it exceeds the limit: loops and expressions are
 * interrupted anywhere, also in a `try`, and no `finally` runs. So `work` must not change shared state, and may run
 * again from its beginning. One call costs a fraction of a millisecond, for a thread that watches the time.
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return onceWithinTime(limitMs, work);
    } catch (error) {
      if (!(error instanceof TimeLimitExceeded) || !error.wasBusy || tries >= TRIES) throw error;
    }
  }
}

/** The same without a retry, for callers that must let other work run first. */
export function onceWithinTime<T>(limitMs: number, work: () => T): T {
  const before = process.threadCpuUsage();
  try {
    return interruptible(limitMs, work);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const { user, system } = process.threadCpuUsage(before);
    throw new TimeLimitExceeded(limitMs, (user + system) / 1_000 < limitMs * OWN_SHARE);
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
    // Nested work has stored its own function there.
    Reflect.set(Object(scriptGlobal), PLACE, before);
  }
  if (result === undefined) throw new Error('the work has neither returned nor thrown');
  return result.value;
}

function isInterruption(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
