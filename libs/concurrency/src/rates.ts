/** How many events there were since a window began. */
export interface WindowCount {
  readonly count: number;
  /** Milliseconds, of the clock that the events are counted by. */
  readonly since: number;
}

/** Counts one more event. A window begins with its first event. */
export function countEvent(before: WindowCount | undefined, windowMs: number, now: number): WindowCount {
  if (before === undefined || now >= before.since + windowMs) return { count: 1, since: now };
  return { count: before.count + 1, since: before.since };
}

/** How many events were allowed at a time. */
export interface Allowance {
  readonly left: number;
  /** Milliseconds, of the clock that the events are counted by. */
  readonly at: number;
}

export interface AllowanceRule {
  /** Events at once. */
  readonly most: number;
  /** After this time so many are allowed again; a part of it allows a part of them. */
  readonly refillMs: number;
}

/** Counts one more event; undefined when it is not allowed. A clock that is set back allows nothing more, and takes nothing. */
export function spendOne(before: Allowance, { most, refillMs }: AllowanceRule, now: number): Allowance | undefined {
  const regained = (Math.max(0, now - before.at) * most) / refillMs;
  const left = Math.min(most, before.left + regained);
  return left < 1 ? undefined : { left: left - 1, at: now };
}
