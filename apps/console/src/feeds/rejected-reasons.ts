import type { RejectedRecord } from '../api/answers.js';

export interface RejectedReason {
  readonly code: RejectedRecord['code'];
  readonly count: number;
}

/** How often each reason occurs, the most frequent first. */
export function rejectedReasons(items: readonly Pick<RejectedRecord, 'code'>[]): readonly RejectedReason[] {
  const counts = new Map<RejectedRecord['code'], number>();
  for (const { code } of items) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}
