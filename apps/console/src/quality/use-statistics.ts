import {
  keepPreviousData,
  useQueries,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { use, useEffect, useMemo, useState } from 'react';
import { ApiError, type Api } from '../api/api.js';
import type { Query } from '../api/query-text.js';
import { serverClock } from '../api/server-clock.js';
import type {
  CallState,
  Dimension,
  MetricStatistics,
  StreamMetric,
  StreamStatistics,
  SuspectList,
} from '../api/answers.js';
import { useServices } from '../services/services.js';
import type { Period } from '../parts/time/period.js';
import { criteriaParameters } from '../search/filter.js';
import { isRefusal } from '../search/use-refusal.js';
import { Narrowing, ShownComparison } from './narrowing.js';
import { periodTimeframe, type Timeframe } from './timeframe.js';

/** The keys of all queries begin with this. */
export const STATISTICS = ['statistics'];
const ASK_EVERY_MS = 60_000;
/** Interval of retries while the server is not reachable. */
const ASK_AGAIN_MS = 5_000;
const LOOK_AT_CLOCK_EVERY_MS = 15_000;
/** The longest bucket that the API accepts. */
const LONGEST_SECONDS = 2_678_400;

/** The time range of a period, updated as time passes. */
export function useTimeframe(period: Period): Timeframe {
  const [now, setNow] = useState(() => serverClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.now()), LOOK_AT_CLOCK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const { from, to, coarse, fine } = periodTimeframe(period, now);
  return useMemo(() => ({ from, to, coarse, fine }), [from, to, coarse, fine]);
}

export interface StreamsQuery {
  readonly frame: Timeframe;
  /** Undefined: as few buckets as possible. */
  readonly bucketSeconds?: number;
  readonly by?: Dimension;
  /** Limits the values to the first ones. */
  readonly limit?: number;
  /** Which are first: those with the most bad streams, by default, or those with the most. */
  readonly sort?: 'bad' | 'streams';
  /** Of the calls, in place of those of the view. */
  readonly states?: readonly CallState[];
}

/** Counts of streams; those of the previous query until the new ones arrive. */
export function useStreams({
  by,
  limit,
  sort = 'bad',
  states,
  ...criteria
}: StreamsQuery): UseQueryResult<StreamStatistics> {
  const compare = useCompare(by);
  return useAnswer<StreamStatistics>(
    '/api/statistics/streams',
    { ...bucketsIn(criteria), by, limit, sort, compare },
    states,
  );
}

export interface MetricQuery {
  readonly frame: Timeframe;
  readonly bucketSeconds: number;
  readonly metric: StreamMetric;
}

/** Percentiles and distributions; those of the previous query until the new ones arrive. */
export function useMetric({ metric, ...criteria }: MetricQuery): UseQueryResult<MetricStatistics> {
  const compare = useCompare(undefined);
  return useAnswer<MetricStatistics>('/api/statistics/metrics', { ...bucketsIn(criteria), metric, compare });
}

/** What troubled calls have in common; that of the previous query until the new one arrives. */
export function useSuspects(frame: Timeframe): UseQueryResult<SuspectList> {
  return useAnswer<SuspectList>('/api/suspects', timesIn(frame));
}

/** Only charts over time show the period before. */
function useCompare(by: Dimension | undefined): 'before' | undefined {
  return use(ShownComparison).kind === 'before' && by === undefined ? 'before' : undefined;
}

/** The same metrics for each value of a dimension in the whole period. */
export function useMetricsBy(
  metrics: readonly StreamMetric[],
  { frame, by, limit }: { readonly frame: Timeframe; readonly by: Dimension; readonly limit: number },
): readonly UseQueryResult<MetricStatistics>[] {
  const { api } = useServices();
  const narrowing = use(Narrowing);
  const whole = bucketsIn({ frame });
  return useQueries({
    queries: metrics.map((metric) =>
      statisticsQueryOptions<MetricStatistics>(api, '/api/statistics/metrics', {
        ...whole,
        metric,
        by,
        limit,
        ...criteriaParameters(narrowing),
      }),
    ),
  });
}

function useAnswer<T>(path: string, query: Query, states?: readonly CallState[]): UseQueryResult<T> {
  const { api } = useServices();
  const narrowing = use(Narrowing);
  const criteria = criteriaParameters(states === undefined ? narrowing : { ...narrowing, states });
  return useQuery<T>(statisticsQueryOptions<T>(api, path, { ...query, ...criteria }));
}

/** An answer about a period, read again as time passes; those of the previous query until the new ones arrive. */
export function statisticsQueryOptions<T>(api: Api, path: string, query: Query): UseQueryOptions<T> {
  return {
    queryKey: [...STATISTICS, path, query],
    queryFn: ({ signal }) => api.get<T>(path, query, signal),
    refetchInterval: ({ state: { error } }) => {
      if (isRefusal(error)) return false;
      return error instanceof ApiError && error.isPassing ? ASK_AGAIN_MS : ASK_EVERY_MS;
    },
    placeholderData: keepPreviousData,
  };
}

export function bucketsIn({
  frame,
  bucketSeconds = wholeOf(frame),
}: Pick<StreamsQuery, 'frame' | 'bucketSeconds'>): Query {
  return { ...timesIn(frame), bucketSeconds };
}

function timesIn({ from, to }: Timeframe): Query {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function wholeOf({ from, to }: Timeframe): number {
  return Math.min(LONGEST_SECONDS, Math.max(60, Math.ceil((to - from) / 1_000)));
}
