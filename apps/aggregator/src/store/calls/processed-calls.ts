import { errorReason } from '@ringdown/errors';
import { eachWithinTime } from '@ringdown/time-limit';

/** Calls that cannot be updated with their new records, whatever the state of the database: nothing was changed. */
export class CallsNotProcessed extends Error {
  override readonly name = 'CallsNotProcessed';

  /** The reasons, by call key. */
  constructor(readonly failures: ReadonlyMap<string, unknown>) {
    super(errorReason(failures.values().next().value));
  }
}

/**
 * Throws {@link CallsNotProcessed} with all calls that fail or take too long; the results of the others are discarded.
 */
export async function processed<I, O>(
  limitMs: number,
  items: readonly I[],
  keyOf: (item: I) => string,
  work: (item: I) => O,
): Promise<readonly O[]> {
  const outcomes = await eachWithinTime(limitMs, items, work);
  const failures = new Map<string, unknown>();
  const values: O[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    if (outcome?.ok === true) values.push(outcome.value);
    else failures.set(keyOf(item), outcome?.error);
  }
  if (failures.size > 0) throw new CallsNotProcessed(failures);
  return values;
}
