import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import type { Dimension, StreamStatistics } from '../../api/answers.js';
import { criteriaParameters } from '../../search/filter.js';
import { useServices } from '../../services/services.js';
import { Narrowing, useStates } from '../narrowing.js';
import type { Timeframe } from '../timeframe.js';
import { bucketsIn, statisticsQueryOptions, useStreams } from '../use-statistics.js';
import type { ComparedChart } from './compared-charts.js';
import type { Comparison } from './comparison.js';
import { comparedValues, filteredValues, valueLines, valuesIn, weekLines, type Line } from './lines.js';

/** As many as the API gives. */
const VALUES = 200;

export type ComparisonOfValues = Extract<Comparison, { readonly kind: 'values' }>;

export interface ComparedLines {
  /** Undefined until they are known. */
  readonly lines: readonly Line[] | undefined;
  /** Values that could be lines, those with the most streams first. */
  readonly known: readonly string[];
  readonly query: UseQueryResult<StreamStatistics>;
}

/** A line for each value: which there are is asked first. */
export function useValueLines({ by, values }: ComparisonOfValues, frame: Timeframe): ComparedLines {
  const criteria = use(Narrowing);
  const query = useStreams({ frame, by, limit: VALUES, sort: 'streams' });
  const { data } = query;
  const found = useMemo(() => {
    // That of another dimension, until the answer is there.
    if (data?.by !== by) return { lines: undefined, known: [] };
    const known = valuesIn(data);
    return { lines: valueLines(by, comparedValues(values, filteredValues(criteria, by), known), frame), known };
  }, [data, by, values, criteria, frame]);
  return { ...found, query };
}

export function useWeekLines(weeks: number, frame: Timeframe): readonly Line[] {
  return useMemo(() => weekLines(weeks, frame), [weeks, frame]);
}

export interface LineAnswers<A> {
  /** Of the request that failed or is missing, if there is one. */
  readonly query: UseQueryResult<A>;
  /** One for each line; undefined until all are there. */
  readonly answers: readonly A[] | undefined;
}

/** Statistics by value. */
export interface DividedAnswer {
  readonly by: Dimension | null;
  readonly items: readonly { readonly value: string | null }[];
}

/** What the chart shows of each line: of values in one request, of weeks in one for each. */
export function useLineAnswers<A extends DividedAnswer>(
  { path, parameters, states }: Pick<ComparedChart<A>, 'path' | 'parameters' | 'states'>,
  lines: readonly Line[],
  by: Dimension | undefined,
): LineAnswers<A> | undefined {
  const { api } = useServices();
  const narrowing = use(Narrowing);
  const left = useStates(states ?? []);
  const criteria = criteriaParameters(states === undefined ? narrowing : { ...narrowing, states: left });
  const frames = (by === undefined ? lines : lines.slice(0, 1)).map(({ frame }) => frame);
  const divided = by === undefined ? {} : { by, limit: VALUES };
  const queries: readonly UseQueryResult<A>[] = useQueries({
    queries: frames.map((frame) =>
      statisticsQueryOptions<A>(api, path, {
        ...bucketsIn({ frame, bucketSeconds: frame.coarse }),
        ...parameters,
        ...divided,
        ...criteria,
      }),
    ),
  });
  const query = queries.find(({ error }) => error !== null) ?? queries.find(({ data }) => !data) ?? queries[0];
  if (query === undefined || (states !== undefined && left.length === 0)) return undefined;
  const all = queries.flatMap(({ data }) => data ?? []);
  const isWhole = all.length === queries.length && all.every((answer) => answer.by === (by ?? null));
  return { query, answers: isWhole ? answersOfLines(all, lines, by) : undefined };
}

function answersOfLines<A extends DividedAnswer>(
  all: readonly A[],
  lines: readonly Line[],
  by: Dimension | undefined,
): readonly A[] {
  const [first] = all;
  if (by === undefined || first === undefined) return all;
  return lines.map(({ value }) => ({ ...first, items: first.items.filter((item) => item.value === value) }));
}
