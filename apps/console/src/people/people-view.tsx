import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { EmptyNote, ErrorNote } from '../parts/notes.js';
import { MeCard } from './me-card.js';
import { PeopleList } from './people-list.js';
import { SearchResults } from './people-search.js';
import type { PeopleStatus } from './people-state.js';
import styles from './people.module.css';
import { PersonPanel } from './person-panel.js';
import { usePeople } from './use-people.js';
import { texts } from '../texts/people.js';

/** The user, other people, and conversations. */
export function PeopleView(): ReactNode {
  const { store, state } = usePeople();
  const [params, setParams] = useSearchParams();
  const [query, setQuery] = useState('');
  const chosen = params.get('with') ?? undefined;
  const { status } = state;

  if (status.kind === 'failed') return <ErrorNote error={status.error} retry={() => void store.start()} />;
  const choose = (uri: string | undefined): void => setParams(uri === undefined ? {} : { with: uri });
  const list = { store, state, chosen, onChoose: choose };
  return (
    <div className={`${styles['view']} ${chosen === undefined ? '' : styles['withPerson']}`}>
      <StatusLine status={status} />
      <div className={styles['side']}>
        <MeCard store={store} state={state} />
        <input
          className={`field ${styles['search']}`}
          type="search"
          aria-label={texts.findPeople}
          placeholder={texts.findPeople}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
        />
        <div className={`card ${styles['list']}`}>
          {query.trim() === '' ? <PeopleList {...list} /> : <SearchResults {...list} query={query.trim()} />}
        </div>
      </div>
      <div className={`card ${styles['person']}`}>
        {chosen === undefined ? (
          <EmptyNote title={texts.noPersonSelected}>{texts.selectPerson}</EmptyNote>
        ) : (
          <PersonPanel key={chosen} store={store} state={state} uri={chosen} onBack={() => choose(undefined)} />
        )}
      </div>
    </div>
  );
}

function StatusLine({ status }: { readonly status: PeopleStatus }): ReactNode {
  return (
    <div className={styles['statusLine']} role="status">
      {status.kind === 'reconnecting' && <p className={styles['trouble']}>{texts.notResponding}</p>}
      {status.kind === 'ended' && (
        <p className={styles['trouble']}>
          {status.message}{' '}
          <button className="button" type="button" onClick={() => location.reload()}>
            {texts.reconnect}
          </button>
        </p>
      )}
    </div>
  );
}
