import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { addressOf, ApiError } from '../api/api.js';
import type { CallPage } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { formatCount } from '../parts/format.js';
import { EmptyNote, ErrorNote, LoadingNote } from '../parts/notes.js';
import { ColumnMenu } from './column-menu.js';
import { storeColumns, storedColumns, type Column } from './columns.js';
import { CsvButton } from './csv-button.js';
import { FilterBar } from './filter-bar.js';
import { filterOf, countFilters, queryOf, searchOf, timeAsOf, type Filter } from './filter.js';
import { unknownParameters } from './unknown-parameters.js';
import { ResultTable } from './result-table.js';
import styles from './search-view.module.css';

const PAGE = 50;

/** Searches calls by any combination of filters, all of which are in the address. */
export function SearchView(): ReactNode {
  const { api } = useServices();
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const filter = useMemo(() => filterOf(search), [search]);
  const strange = useMemo(() => unknownParameters(search), [search]);
  const [columns, setColumns] = useState(() => storedColumns(localStorage));
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['calls', search],
    queryFn: async ({ signal }) => {
      const now = timeAsOf(filter, serverClock.now());
      const query = queryOf(filter, now);
      const page = await api.get<CallPage>('/api/calls', { ...query, limit: PAGE }, signal);
      return { ...page, asOf: new Date(now).toISOString(), list: addressOf('', query).slice(1) };
    },
    placeholderData: keepPreviousData,
  });

  function show(next: Filter): void {
    const nextSearch = searchOf(next);
    navigate(`/calls${nextSearch === '' ? '' : `?${nextSearch}`}`);
  }
  function choose(chosen: readonly Column[]): void {
    storeColumns(localStorage, chosen);
    setColumns(chosen);
  }

  return (
    <div className={styles['view']}>
      <h1 className="unseen">Search calls</h1>
      <FilterBar filter={filter} onChange={(next) => show({ ...next, cursor: '' })} />
      <section className={`card ${styles['results']}`} aria-label="Results" aria-busy={isFetching}>
        <header>
          {strange.length > 0 && (
            <p className={styles['strange']} role="note">
              Not understood in the address, and left out: {strange.join(', ')}
            </p>
          )}
          <div className={styles['bar']}>
            <span role="status" className="muted">
              {data !== undefined && !isPlaceholderData && found(data, filter)}
            </span>
            <ColumnMenu columns={columns} onChange={choose} />
            <CsvButton filter={filter} />
          </div>
        </header>
        {error !== null && !isPlaceholderData ? (
          <ErrorNote error={new Error(wordsFor(error))} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingNote />
        ) : data.items.length === 0 ? (
          <EmptyNote title="No calls match.">
            {countFilters(filter) > 0 ? 'Remove a filter, or select a longer period.' : 'Select a longer period.'}
          </EmptyNote>
        ) : (
          <ResultTable calls={data.items} columns={columns} list={data.list} isOld={isPlaceholderData} />
        )}
        <nav className={styles['pages']} aria-label="Pages">
          {filter.cursor !== '' && (
            <>
              <button className="button" type="button" onClick={() => show({ ...filter, cursor: '' })}>
                First page
              </button>
              <button className="button" type="button" onClick={() => history.back()}>
                Previous
              </button>
            </>
          )}
          {data?.next !== null && data?.next !== undefined && (
            <button
              className="button"
              type="button"
              disabled={isPlaceholderData}
              onClick={() => show({ ...filter, cursor: data.next ?? '', asOf: data.asOf })}
            >
              Next
            </button>
          )}
        </nav>
      </section>
    </div>
  );
}

function found({ items, next }: CallPage, { cursor }: Filter): string {
  if (items.length === 0) return '';
  if (next === null && cursor === '') return formatCount(items.length, 'call');
  return `${formatCount(items.length, 'call')} on this page${next === null ? ', the last' : ''}`;
}

function wordsFor(error: Error): string {
  return error instanceof ApiError && error.code === 'bad-cursor'
    ? 'This page is not there any more. Begin with the first one.'
    : error.message;
}
