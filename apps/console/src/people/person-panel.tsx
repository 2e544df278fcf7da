import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useSignedIn } from '../services/services.js';
import { EmptyNote, ErrorNote, LoadingNote } from '../parts/notes.js';
import type { Contact } from '../web-interface/index.js';
import { Avatar } from './avatar.js';
import { ContactMenu } from './contact-menu.js';
import { Conversation } from './conversation.js';
import type { PeopleState } from './people-state.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { PresenceMark } from './presence-mark.js';
import type { Thread } from './threads.js';
import { texts } from '../texts/people.js';

export interface PersonPanelProps {
  readonly store: PeopleStore;
  readonly state: PeopleState;
  readonly uri: string;
  /** Back to the list, if the two are not side by side. */
  readonly onBack: () => void;
}

/** One person: name, presence and conversation. */
export function PersonPanel({ store, state, uri, onBack }: PersonPanelProps): ReactNode {
  const {
    data: found,
    error,
    refetch,
  } = useQuery({
    queryKey: ['person', uri],
    queryFn: async () => ({ contact: await store.find(uri) }),
    enabled: state.roster !== undefined,
  });
  const contact = found?.contact;
  useEffect(() => {
    if (contact !== undefined) store.watch(contact);
  }, [store, contact]);

  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (found === undefined) return <LoadingNote />;
  const thread = state.threads.with(uri);
  if (contact === undefined && thread !== undefined) return <Guest store={store} thread={thread} onBack={onBack} />;
  if (contact === undefined) {
    return (
      <EmptyNote title={texts.noPersonWithAddress}>
        <button className="button" type="button" onClick={onBack}>
          {texts.backToList}
        </button>
      </EmptyNote>
    );
  }
  return (
    <>
      <Head store={store} state={state} contact={contact} onBack={onBack} />
      <Conversation store={store} person={contact} thread={thread} />
    </>
  );
}

interface GuestProps extends Pick<PersonPanelProps, 'store' | 'onBack'> {
  readonly thread: Thread;
}

/** A guest of a meeting, who is not in the directory. A guest can only be answered. */
function Guest({ store, thread, onBack }: GuestProps): ReactNode {
  return (
    <>
      <header className={styles['personHead']}>
        <button className={`button ${styles['back']}`} type="button" onClick={onBack} aria-label={texts.backToList}>
          ←
        </button>
        <Avatar name={thread.name} photo={undefined} />
        <div className={styles['facts']}>
          <h2 className={styles['personName']}>{thread.name}</h2>
          <p className={`muted ${styles['details']}`}>{texts.guest}</p>
        </div>
      </header>
      <Conversation store={store} person={thread} thread={thread} isClosed={thread.phase === 'none'} />
    </>
  );
}

interface HeadProps extends Omit<PersonPanelProps, 'uri'> {
  readonly contact: Contact;
}

function Head({ store, state, contact, onBack }: HeadProps): ReactNode {
  const { roles } = useSignedIn();
  const seen = store.presenceOf(contact.uri);
  const facts = [contact.title, contact.department, contact.office ?? contact.company].filter(Boolean).join(' · ');
  const address = contact.uri.replace(/^sip:/, '');
  return (
    <header className={styles['personHead']}>
      <button className={`button ${styles['back']}`} type="button" onClick={onBack} aria-label={texts.backToList}>
        ←
      </button>
      <Avatar name={contact.name} photo={contact.links.photo} />
      <div className={styles['facts']}>
        <h2 className={styles['personName']}>{contact.name}</h2>
        <div className={styles['seen']}>
          <PresenceMark presence={seen?.presence} visibility="shown" />
          {seen?.location && <span className="muted">{texts.atPlace(seen.location)}</span>}
        </div>
        {seen?.note && <p className={styles['note']}>{texts.quotedNote(seen.note)}</p>}
        <p className={`muted ${styles['details']}`}>
          {facts !== '' && <span>{facts}</span>}
          <span>{address}</span>
          {contact.phones.map(({ kind, number }) => (
            <a key={kind} href={`tel:${number}`}>
              {number} <span className="muted">{texts.phones[kind]}</span>
            </a>
          ))}
        </p>
      </div>
      <div className={styles['actions']}>
        {roles.includes('operator') && (
          <Link className="button" href={`/calls?user=${encodeURIComponent(address)}`}>
            {texts.calls}
          </Link>
        )}
        <ContactMenu store={store} contact={contact} roster={state.roster} />
      </div>
    </header>
  );
}
