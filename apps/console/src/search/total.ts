import { useQuery } from '@tanstack/react-query';
import type { CallTotal } from '../api/answers.js';
import { useServices } from '../services/services.js';
import { formatNumber } from '../parts/format.js';
import { texts } from '../texts/search.js';
import type { Parameters } from './conditions.js';

/** How many calls a search finds, all pages together; undefined until it is known. */
export function useTotal(query: Parameters | undefined): CallTotal | undefined {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['total', query],
    enabled: query !== undefined,
    queryFn: ({ signal }) => api.get<CallTotal>('/api/statistics/total', { uploads: 'include', ...query }, signal),
  });
  return data;
}

/** The query of a list without its order and page. */
export function totalQuery(query: Parameters): Parameters {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'sort' && name !== 'cursor'));
}

/** `12 calls`, `about 120,000 calls`. */
export function formatTotal({ calls, exact }: CallTotal): string {
  return exact ? texts.calls(calls) : texts.aboutCalls(formatNumber(Number(calls.toPrecision(2))));
}
