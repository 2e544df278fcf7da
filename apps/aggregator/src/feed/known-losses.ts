import type { RecentLosses } from '../store/feed/losses.js';

/** The account of what the bus has lost, within a day: health, metrics, `npm run status`, `/api/services` and the console show this one. */
export interface KnownLosses extends RecentLosses {
  /** Records that were accepted and lost before they were read, at least; null before they were counted. */
  readonly missingRecords: number | null;
}

/** What an operator has to know of these losses; undefined if nothing is lost, as far as is known. */
export function lossProblem({ missingRecords, droppedMessages, shortened }: KnownLosses): string | undefined {
  const problems = [
    ...((missingRecords ?? 0) > 0
      ? [`${missingRecords} accepted records were lost by the bus before they were read`]
      : []),
    ...(droppedMessages > 0 ? [`the bus dropped ${droppedMessages} messages before they were read`] : []),
    ...(shortened > 0 ? [`the bus came back without its newest messages (times: ${shortened})`] : []),
  ];
  return problems.length === 0 ? undefined : `within a day, at least: ${problems.join('; ')}`;
}
