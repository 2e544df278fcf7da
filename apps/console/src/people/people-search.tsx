import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { formatNumber } from '../parts/format.js';
import { EmptyNote, ErrorNote, LoadingNote } from '../parts/notes.js';
import type { PeopleState } from './people-state.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { PersonRow } from './person-row.js';
import { texts } from '../texts/people.js';

export interface SearchResultsProps {
  readonly store: PeopleStore;
  readonly state: PeopleState;
  readonly query: string;
  readonly chosen: string | undefined;
  readonly onChoose: (uri: string) => void;
}

/** Searches the directory while typing. The previous result stays until the new one arrives. */
export function SearchResults({ store, state, query, chosen, onChoose }: SearchResultsProps): ReactNode {
  const {
    data: found,
    error,
    refetch,
  } = useQuery({
    queryKey: ['people', query],
    queryFn: async ({ signal }) => ({ query, ...(await store.search(query, signal)) }),
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    for (const contact of found?.people ?? []) store.watch(contact);
  }, [store, found]);

  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (found === undefined) return <LoadingNote>{texts.searching}</LoadingNote>;
  if (found.people.length === 0) {
    return <EmptyNote title={texts.noPeopleMatch(found.query)}>{texts.searchedFields}</EmptyNote>;
  }
  return (
    <section aria-label={texts.foundPeople}>
      <ul className={styles['rows']}>
        {found.people.map((contact) => (
          <li key={contact.uri}>
            <PersonRow
              person={contact}
              seen={store.presenceOf(contact.uri)}
              thread={state.threads.with(contact.uri)}
              isChosen={contact.uri === chosen}
              onChoose={() => onChoose(contact.uri)}
            />
          </li>
        ))}
      </ul>
      <p className={styles['foot']} role="status">
        {found.hasMore ? texts.morePeopleMatch : texts.found(formatNumber(found.people.length))}
      </p>
    </section>
  );
}
