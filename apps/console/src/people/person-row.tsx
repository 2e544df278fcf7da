import type { ReactNode } from 'react';
import type { ShownPresence } from './people-state.js';
import styles from './people.module.css';
import { PresenceMark } from './presence-mark.js';
import type { Person, Thread } from './threads.js';
import { presenceWords } from './display-words.js';
import { texts } from '../texts/people.js';

export interface PersonRowProps {
  readonly person: Person;
  readonly seen: ShownPresence | undefined;
  readonly thread: Thread | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** A person in a list, with presence and unread messages. */
export function PersonRow({ person, seen, thread, isChosen, onChoose }: PersonRowProps): ReactNode {
  const unread = thread?.unread ?? 0;
  const isOffline = seen?.presence?.availability === 'Offline';
  const line = thread?.isTyping === true ? texts.isWriting : presenceLine(seen);
  return (
    <button
      type="button"
      className={`${styles['row']} ${isOffline ? styles['offline'] : ''}`}
      aria-current={isChosen}
      onClick={onChoose}
    >
      <PresenceMark
        presence={seen?.presence}
        visibility={line === presenceWords(seen?.presence) ? 'beside' : 'unseen'}
      />
      <span className={styles['rowName']}>{person.name}</span>
      <span className={styles['rowMore']}>{line}</span>
      {unread > 0 && (
        <span className={styles['unread']}>
          <span aria-hidden="true">{unread}</span>
          <span className="unseen">{texts.newMessages(unread)}</span>
        </span>
      )}
    </button>
  );
}

/** The note if there is one, because it is more specific than the presence. */
function presenceLine(seen: ShownPresence | undefined): string {
  return seen?.note || (seen?.presence === undefined ? '' : presenceWords(seen.presence));
}
