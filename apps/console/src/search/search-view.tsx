import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { addressWithQuery, ApiError } from '../api/api.js';
import type { CallPage, CallTotal } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { ErrorNote, LoadingNote } from '../parts/notes.js';
import { texts } from '../texts/search.js';
import { ColumnMenu } from './column-menu.js';
import { storeColumns, storedColumns, type Column } from './columns.js';
import { CsvButton } from './csv-button.js';
import { FilterBar } from './filter-bar.js';
import { parseFilter, filterQuery, filterAddress, timeAsOf, type Filter } from './filter.js';
import { NoCalls } from './no-calls.js';
import { formatTotal, totalQuery, useTotal } from './total.js';
import { unknownParameters } from './unknown-parameters.js';
import { ResultTable } from './result-table.js';
import { isRefusal } from './use-refusal.js';
import { parametersToSave } from './saved-search.js';
import { SavedSearches } from './saved-searches.js';
import styles from './search-view.module.css';

const PAGE = 50;

/** Searches calls by any combination of filters, all of which are in the address. */
export function SearchView(): ReactNode {
  const { api } = useServices();
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const filter = useMemo(() => parseFilter(search), [search]);
  const strange = useMemo(() => unknownParameters(search), [search]);
  const [columns, setColumns] = useState(() => storedColumns(localStorage));
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['calls', search],
    queryFn: async ({ signal }) => {
      const now = timeAsOf(filter, serverClock.now());
      const query = filterQuery(filter, now);
      const page = await api.get<CallPage>('/api/calls', { ...query, limit: PAGE }, signal);
      const list = addressWithQuery('', { ...query, ...fixedListEnd(page, filter, now) }).slice(1);
      return { ...page, query, asOf: new Date(now).toISOString(), list };
    },
    placeholderData: keepPreviousData,
  });
  const failure = isPlaceholderData ? null : error;
  const refusal = isRefusal(failure) ? failure : undefined;
  // A list that is a single page is its own total.
  const isCounted = data !== undefined && (data.next !== null || filter.cursor !== '');
  const total = useTotal(isCounted ? totalQuery(data.query) : undefined);

  function show(next: Filter): void {
    const nextSearch = filterAddress(next);
    navigate(`/calls${nextSearch === '' ? '' : `?${nextSearch}`}`);
  }
  function choose(chosen: readonly Column[]): void {
    storeColumns(localStorage, chosen);
    setColumns(chosen);
  }

  return (
    <div className={styles['view']}>
      <h1 className="unseen">{texts.title}</h1>
      <FilterBar filter={filter} refusal={refusal} onChange={show} />
      <section className={`card ${styles['results']}`} aria-label={texts.results} aria-busy={isFetching}>
        <header>
          {strange.length > 0 && (
            <p className={styles['strange']} role="note">
              {texts.ignored(strange.join(', '))}
            </p>
          )}
          <div className={styles['bar']}>
            <span role="status" className="muted">
              {data !== undefined && !isPlaceholderData && found(data, filter, total)}
            </span>
            <SavedSearches parameters={parametersToSave(filter)} />
            <ColumnMenu columns={columns} onChange={choose} />
            <CsvButton filter={filter} />
          </div>
        </header>
        <FoundCalls
          page={data}
          failure={failure}
          isOld={isPlaceholderData}
          filter={filter}
          columns={columns}
          retry={() => void refetch()}
        />
        <Pages page={isPlaceholderData ? undefined : data} filter={filter} onShow={show} />
      </section>
    </div>
  );
}

interface FoundCallsProps {
  /** Undefined until there is one. */
  readonly page: (CallPage & { readonly list: string }) | undefined;
  readonly failure: Error | null;
  /** Whether it is the page of the filter before. */
  readonly isOld: boolean;
  readonly filter: Filter;
  readonly columns: readonly Column[];
  readonly retry: () => void;
}

function FoundCalls({ page, failure, isOld, filter, columns, retry }: FoundCallsProps): ReactNode {
  // The bar of the filters says what is wrong with them.
  if (isRefusal(failure)) return <div />;
  if (failure !== null) return <ErrorNote error={new Error(wordsFor(failure))} retry={retry} />;
  // An empty page of another filter would say that nothing matches this one.
  if (page === undefined || (isOld && page.items.length === 0)) return <LoadingNote />;
  if (page.items.length === 0) return <NoCalls filter={filter} />;
  return <ResultTable calls={page.items} columns={columns} sort={filter.sort} list={page.list} isOld={isOld} />;
}

/** The end of a list without one, so that calls which begin later do not move the others; a next page has it by its cursor. */
function fixedListEnd({ items }: CallPage, { span, cursor }: Filter, now: number): { readonly to?: string } {
  if (span === undefined || cursor !== '') return {};
  // The clock of the page may be some seconds behind that of the calls.
  const end = Math.max(now, ...items.map(({ beganAt }) => Date.parse(beganAt) + 1));
  return { to: new Date(end).toISOString() };
}

interface PagesProps {
  /** Undefined while it is loaded. */
  readonly page: { readonly next: string | null; readonly asOf: string } | undefined;
  readonly filter: Filter;
  readonly onShow: (filter: Filter) => void;
}

function Pages({ page, filter, onShow }: PagesProps): ReactNode {
  const next = page?.next ?? null;
  return (
    <nav className={styles['pages']} aria-label={texts.pages}>
      {filter.cursor !== '' && (
        <>
          <button className="button" type="button" onClick={() => onShow({ ...filter, cursor: '' })}>
            {texts.firstPage}
          </button>
          <button className="button" type="button" onClick={() => history.back()}>
            {texts.previous}
          </button>
        </>
      )}
      {page !== undefined && next !== null && (
        <button className="button" type="button" onClick={() => onShow({ ...filter, cursor: next, asOf: page.asOf })}>
          {texts.next}
        </button>
      )}
    </nav>
  );
}

function found({ items, next }: CallPage, { cursor }: Filter, total: CallTotal | undefined): string {
  if (items.length === 0) return '';
  if (next === null && cursor === '') return texts.calls(items.length);
  const page = next === null ? texts.onLastPage(items.length) : texts.onPage(items.length);
  return total === undefined ? page : `${formatTotal(total)} · ${page}`;
}

function wordsFor(error: Error): string {
  return error instanceof ApiError && error.code === 'bad-cursor' ? texts.expired : error.message;
}
