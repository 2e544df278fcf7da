import type { ReactNode } from 'react';
import { EmptyNote } from '../parts/notes.js';
import { groupName } from './display-words.js';
import { GroupTitle, NewGroup } from './group-title.js';
import type { PeopleState } from './people-state.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { PersonRow } from './person-row.js';
import type { Person } from './threads.js';
import { texts } from '../texts/people.js';

export interface PeopleListProps {
  readonly store: PeopleStore;
  readonly state: PeopleState;
  readonly chosen: string | undefined;
  readonly onChoose: (uri: string) => void;
}

/** People with open conversations, then the contacts in their groups. */
export function PeopleList({ store, state, chosen, onChoose }: PeopleListProps): ReactNode {
  const { roster, threads } = state;
  if (roster === undefined) return <div className={styles['skeleton']} aria-hidden="true" />;
  const row = (person: Person, key: string): ReactNode => (
    <li key={key}>
      <PersonRow
        person={person}
        seen={store.presenceOf(person.uri)}
        thread={threads.with(person.uri)}
        isChosen={person.uri === chosen}
        onChoose={() => onChoose(person.uri)}
      />
    </li>
  );
  const shown = roster.sections.filter(({ group, people }) => people.length > 0 || group.rel === 'group');
  return (
    <>
      {threads.all.length > 0 && (
        <section aria-labelledby="conversations">
          <h2 id="conversations" className={styles['groupName']}>
            {texts.conversations}
          </h2>
          <ul className={styles['rows']}>{threads.all.map((thread) => row(thread, thread.uri))}</ul>
        </section>
      )}
      {shown.map(({ group, people }) => (
        <section key={group.id} aria-label={groupName(group)}>
          <GroupTitle store={store} group={group} size={people.length} />
          <ul className={styles['rows']}>{people.map(({ contact, membership }) => row(contact, membership.href))}</ul>
        </section>
      ))}
      {roster.contacts.length === 0 && <EmptyNote title={texts.noContacts}>{texts.addContacts}</EmptyNote>}
      <NewGroup store={store} />
    </>
  );
}
