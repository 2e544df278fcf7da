import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { LoadStatistics } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { TimeChart } from '../charts/time-chart.js';
import { formatBandwidth, formatNumber } from '../parts/format.js';
import styles from './load-charts.module.css';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const HEIGHT = 118;
const ASK_EVERY = 30_000;

/** Calls at the same time, and the bandwidth they needed, over the last hour. */
export function LoadCharts(): ReactNode {
  const { api } = useServices();
  const { data, error } = useQuery({
    queryKey: ['load', 'hour'],
    queryFn: ({ signal }) => {
      // On whole minutes: otherwise all points would move a little with every answer.
      const to = Math.ceil(serverClock.now() / MINUTE) * MINUTE;
      const span = { from: new Date(to - HOUR).toISOString(), to: new Date(to).toISOString() };
      return api.get<LoadStatistics>('/api/statistics/load', { ...span, bucketSeconds: 60 }, signal);
    },
    refetchInterval: ASK_EVERY,
  });
  const times = useMemo(() => (data?.items ?? []).map(({ at }) => Date.parse(at) / 1000), [data]);
  const calls = useMemo(() => (data?.items ?? []).map((item) => item.calls), [data]);
  const bandwidth = useMemo(() => (data?.items ?? []).map((item) => item.averageBandwidth), [data]);
  return (
    <div className={styles['charts']}>
      <LoadChart title="Concurrent calls" times={times} values={calls} shown={shownCount} error={error} />
      <LoadChart title="Bandwidth" times={times} values={bandwidth} shown={formatBandwidth} error={error} />
    </div>
  );
}

interface LoadChartProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly shown: (value: number) => string;
  readonly error: Error | null;
}

function LoadChart({ title, times, values, shown, error }: LoadChartProps): ReactNode {
  const most = Math.max(0, ...values);
  return (
    <figure className={`card ${styles['chart']}`}>
      <figcaption>
        <h2>{title}</h2>
        <span className="muted">last hour, at most {shown(most)}</span>
      </figcaption>
      {error === null ? (
        <TimeChart
          label={`${title} over the last hour, at most ${shown(most)}`}
          times={times}
          values={values}
          shown={shown}
          height={HEIGHT}
        />
      ) : (
        <p className={styles['problem']}>{error.message}</p>
      )}
    </figure>
  );
}

function shownCount(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : '';
}
