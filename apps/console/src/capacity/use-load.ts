import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { use } from 'react';
import type { LoadStatistics } from '../api/answers.js';
import { Narrowing } from '../quality/narrowing.js';
import type { Timeframe } from '../quality/timeframe.js';
import { statisticsQueryOptions } from '../quality/use-statistics.js';
import { criteriaParameters } from '../search/filter.js';
import { useServices } from '../services/services.js';
import type { LoadDimension } from './capacity-query.js';
import { valuesToAskFor } from './capacity-rows.js';

/** Those with the most calls. */
const VALUES = 20;

interface LoadQuery {
  readonly frame: Timeframe;
  readonly by: LoadDimension;
  /** Values that are shown also if they are not among the first. */
  readonly wanted: readonly string[];
}

/** The load of the first values and of the wanted ones; that of the previous query until the new one arrives. */
export function useLoad({ frame, by, wanted }: LoadQuery): UseQueryResult<LoadStatistics> {
  const { api } = useServices();
  const criteria = criteriaParameters(use(Narrowing));
  const period = { from: new Date(frame.from).toISOString(), to: new Date(frame.to).toISOString() };
  const query = { ...period, bucketSeconds: frame.fine, by, ...criteria };
  const first = useQuery(
    statisticsQueryOptions<LoadStatistics>(api, '/api/statistics/load', { ...query, limit: VALUES }),
  );
  const { data } = first;
  const missing = data === undefined || data.by !== by ? [] : valuesToAskFor(data, wanted);
  const more = useQuery({
    ...statisticsQueryOptions<LoadStatistics>(api, '/api/statistics/load', { ...query, values: missing }),
    enabled: missing.length > 0,
  });
  if (data === undefined || missing.length === 0 || more.data === undefined || more.data.by !== by) return first;
  return { ...first, data: joined(data, more.data) };
}

function joined(first: LoadStatistics, more: LoadStatistics): LoadStatistics {
  return {
    ...first,
    values: [...first.values, ...more.values],
    items: [...first.items, ...more.items],
    // Of those that were asked for, the first answer has left out only those with calls.
    valuesLeftOut: Math.max(0, first.valuesLeftOut - more.values.filter(({ peak }) => peak.calls > 0).length),
  };
}
