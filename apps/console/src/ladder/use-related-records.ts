import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LinkedCall, TimelinePage } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { callSegment } from '../api/call-segment.js';
import { useServices } from '../services/services.js';
import type { RelatedRecords } from './ladder.js';

/** Each is a request; a conference may have hundreds of legs. */
export const MOST_RELATED = 10;
const RECORDS_OF_EACH = 200;
const ASK_EVERY = 5_000;

export interface KnownRelatedRecords {
  readonly items: readonly RelatedRecords[] | undefined;
  readonly problem: string | undefined;
}

/** The first records of the first related calls, followed while one of them runs. */
export function useRelatedRecords(linked: readonly LinkedCall[], isWanted: boolean): KnownRelatedRecords {
  const { api } = useServices();
  const calls = linked.slice(0, MOST_RELATED);
  const { data, error } = useQuery({
    // The states: when the last one is over, its last records are requested once more.
    queryKey: ['related-records', calls.map(({ callId, state }) => [callId, state])],
    queryFn: ({ signal }) =>
      Promise.all(
        calls.map(async ({ callId }): Promise<RelatedRecords> => {
          const path = `/api/calls/${callSegment(callId)}/timeline`;
          const { items } = await api.get<TimelinePage>(path, { limit: RECORDS_OF_EACH }, signal);
          return { callId, items };
        }),
      ),
    enabled: isWanted && calls.length > 0,
    refetchInterval: calls.some(({ state }) => isInProgress(state)) ? ASK_EVERY : false,
    placeholderData: keepPreviousData,
  });
  return { items: isWanted ? data : undefined, problem: isWanted ? error?.message : undefined };
}
