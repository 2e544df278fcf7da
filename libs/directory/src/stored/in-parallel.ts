const AT_ONCE = 64;

/** For many small writes: each waits for the bus most of its time. */
export async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
