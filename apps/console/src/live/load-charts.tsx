import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useMemo, useState, type ReactNode } from 'react';
import type { LoadStatistics } from '../api/answers.js';
import type { Query } from '../api/query-text.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { BucketChart, type BucketMark } from '../charts/bucket-chart.js';
import { lineLook } from '../charts/chart-style.js';
import { Legend } from '../charts/legend.js';
import { formatBandwidth, formatNumber, formatTime } from '../parts/format.js';
import { isRefusal } from '../search/use-refusal.js';
import { texts } from '../texts/live.js';
import styles from './load-charts.module.css';
import { loadDivision, loadLines, type LoadLines } from './load-lines.js';

/** The keys of all queries begin with this. */
export const LOAD = ['load'];
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** As high as the card of the filters beside it. */
const HEIGHT = 176;
const ASK_EVERY = 30_000;
const NOTHING: LoadLines = { begins: [], lines: [] };

interface LoadChartsProps {
  /** The filters of the view, as its address has them; empty without. */
  readonly filters: string;
}

/**
 * Calls at the same time, and the bandwidth they needed, over the last hour or the part of it that was selected. Not
 * rendered with each change of the calls beside it: its 120 marks cost more than all rows.
 */
export const LoadCharts = memo(({ filters }: LoadChartsProps): ReactNode => {
  const { api } = useServices();
  const [zoomed, zoom] = useState<LoadPeriod>();
  const division = useMemo(() => loadDivision(filters), [filters]);
  const { data, error } = useQuery({
    queryKey: [...LOAD, zoomed ?? 'hour', filters],
    queryFn: async ({ signal }) => {
      const { from, to } = zoomed ?? lastHour();
      const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const query = { ...span, bucketSeconds: 60, ...division, ...(await chartQuery(filters)) };
      return api.get<LoadStatistics>('/api/statistics/load', query, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => zoomed === undefined && !isRefusal(state.error) && ASK_EVERY,
  });
  const calls = useMemo(() => data && loadLines(data, division, (item) => item.calls), [data, division]);
  const bandwidth = useMemo(() => data && loadLines(data, division, (item) => item.averageBandwidth), [data, division]);
  // Beside the filters, it is said that they are refused.
  const common = { error: isRefusal(error) ? null : error, filters, zoomed, zoom };
  return (
    <div className={styles['charts']}>
      <LoadChart title={texts.concurrentCalls} load={calls} shown={shownCount} {...common} />
      <LoadChart title={texts.bandwidth} load={bandwidth} shown={formatBandwidth} {...common} />
    </div>
  );
});

/** The names of all filters are loaded only where there is one: the first view of calls does without. */
async function chartQuery(filters: string): Promise<Query> {
  return filters === '' ? {} : (await import('./live-criteria.js')).chartParameters(filters);
}

/** Milliseconds since 1970. */
interface LoadPeriod {
  readonly from: number;
  readonly to: number;
}

function lastHour(): LoadPeriod {
  // On whole minutes: otherwise all points would move a little with every answer.
  const to = Math.ceil(serverClock.now() / MINUTE) * MINUTE;
  return { from: to - HOUR, to };
}

interface LoadChartProps extends LoadChartsProps {
  readonly title: string;
  /** Undefined until it is known. */
  readonly load: LoadLines | undefined;
  readonly shown: (value: number) => string;
  readonly error: Error | null;
  readonly zoomed: LoadPeriod | undefined;
  readonly zoom: (period: LoadPeriod | undefined) => void;
}

function LoadChart({ title, load, shown, error, filters, zoomed, zoom }: LoadChartProps): ReactNode {
  const { begins, lines } = load ?? NOTHING;
  const isDivided = lines.length > 1;
  const most = Math.max(0, ...lines.flatMap(({ values }) => values));
  const times = useMemo(() => begins.map((at) => (at + MINUTE / 2) / 1000), [begins]);
  const series = useMemo(
    () => lines.map(({ values }, index) => ({ ...(isDivided ? lineLook(index) : { colour: '--accent' }), values })),
    [lines, isDivided],
  );
  const marks = begins.map((at, index) => minuteMark(at, wordsAt(lines, index, shown), filters));
  const select = (first: number, last: number): void => {
    const [from, to] = [begins[first], begins[last]];
    if (from !== undefined && to !== undefined) zoom({ from, to: to + MINUTE });
  };
  const time = zoomed === undefined ? texts.inLastHour : periodWords(zoomed);
  const isKnown = begins.length > 0;
  const period = isKnown ? texts.upTo(time, shown(most)) : time;
  return (
    <figure className={`card ${styles['chart']}`} aria-label={title}>
      <figcaption>
        <h2>{title}</h2>
        <span className="muted">{period}</span>
        {zoomed !== undefined && (
          <button className="button" type="button" onClick={() => zoom(undefined)}>
            {texts.lastHour}
          </button>
        )}
      </figcaption>
      {error === null && isDivided && (
        <Legend
          isColumn
          lines={lines.map(({ value = '', values }, index) => {
            return { label: value, ...lineLook(index), about: texts.most(shown(Math.max(...values))) };
          })}
        />
      )}
      {error !== null && <p className={styles['problem']}>{error.message}</p>}
      {error === null && !isKnown && <div style={{ height: HEIGHT }} />}
      {error === null && isKnown && (
        <BucketChart
          label={texts.chart(title, period)}
          kind={isDivided ? 'lines' : 'area'}
          times={times}
          series={series}
          shown={shown}
          height={HEIGHT}
          marks={marks}
          onSelect={select}
        />
      )}
    </figure>
  );
}

function wordsAt(lines: LoadLines['lines'], index: number, shown: (value: number) => string): string {
  return lines
    .map(({ value, values }) => {
      const load = shown(values[index] ?? 0);
      return value === undefined ? load : texts.loadOf(value, load);
    })
    .join(', ');
}

function minuteMark(at: number, words: string, filters: string): BucketMark {
  const between = new URLSearchParams({ from: new Date(at).toISOString(), to: new Date(at + MINUTE).toISOString() });
  const search = filters === '' ? between.toString() : `${between.toString()}&${filters}`;
  return { key: at, title: `${formatTime(at)}: ${words}`, href: `/calls?${search}` };
}

function periodWords({ from, to }: LoadPeriod): string {
  return texts.period(formatTime(from), formatTime(to));
}

function shownCount(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : '';
}
