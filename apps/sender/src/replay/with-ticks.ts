/**
 * The items of a source that may pause or never end, with an undefined after each interval: time passes between items,
 * too.
 */
export async function* withTicks<T>(items: AsyncIterable<T>, intervalMs: number): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let timer = startTimer(intervalMs);
  try {
    for (let next = iterator.next(); ;) {
      const result = await Promise.race([next, timer.elapsed]);
      if (result === undefined) {
        timer = startTimer(intervalMs);
        yield undefined;
        continue;
      }
      if (result.done === true) return;
      yield result.value;
      next = iterator.next();
    }
  } finally {
    timer.stop();
  }
}

function startTimer(ms: number): { readonly elapsed: Promise<undefined>; readonly stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return { elapsed: promise, stop: () => clearTimeout(timer) };
}
