import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { EmptyNote, ErrorNote, LoadingNote } from '../parts/notes.js';
import type { PeopleState } from './people-state.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { PersonRow } from './person-row.js';

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
  if (found === undefined) return <LoadingNote>Searching …</LoadingNote>;
  if (found.people.length === 0) {
    return (
      <EmptyNote title={`No people match “${found.query}”.`}>Names, addresses, numbers and departments.</EmptyNote>
    );
  }
  return (
    <section aria-label="Found people">
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
        {found.hasMore ? 'More people match: type more of the name.' : `${found.people.length} found`}
      </p>
    </section>
  );
}
