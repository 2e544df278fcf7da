import type { Alert } from '../api/answers.js';

/** Critical alerts before warnings, the newest first. */
export function worstFirst<A extends Pick<Alert, 'severity' | 'startsAt'>>(alerts: readonly A[]): readonly A[] {
  const rank = ({ severity }: A): number => (severity === 'critical' ? 0 : 1);
  return alerts.toSorted(
    (one, other) => rank(one) - rank(other) || Date.parse(other.startsAt) - Date.parse(one.startsAt),
  );
}
