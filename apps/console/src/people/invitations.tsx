import type { ReactNode } from 'react';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import type { Thread } from './threads.js';
import { useAction } from './use-action.js';
import { texts } from '../texts/people.js';

export interface InvitationsProps {
  readonly store: PeopleStore;
  readonly threads: readonly Thread[];
  readonly onAccept: (uri: string) => void;
  /** Further toasts, below the invitations. */
  readonly children?: ReactNode;
}

/** Incoming invitations, until they are answered or withdrawn. */
export function Invitations({ store, threads, onAccept, children }: InvitationsProps): ReactNode {
  const waiting = threads.filter(({ invitation }) => invitation !== undefined);
  return (
    <div className={styles['toasts']} role="region" aria-label={texts.invitations} aria-live="assertive">
      {waiting.map((thread) => (
        <Toast key={thread.uri} store={store} thread={thread} onAccept={onAccept} />
      ))}
      {children}
    </div>
  );
}

interface ToastProps extends Pick<InvitationsProps, 'store' | 'onAccept'> {
  readonly thread: Thread;
}

function Toast({ store, thread, onAccept }: ToastProps): ReactNode {
  const action = useAction();
  return (
    <div className={`card ${styles['toast']}`}>
      <strong>{texts.wantsToChat(thread.name)}</strong>
      {thread.invitation?.text !== undefined && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long one is scrolled with the keyboard
        <p className={styles['toastText']} tabIndex={0}>
          {thread.invitation.text}
        </p>
      )}
      {action.problem !== undefined && <p className={styles['problem']}>{action.problem}</p>}
      <div className={styles['buttons']}>
        <button
          className="button"
          type="button"
          onClick={() => void action.run(() => store.conversations.decline(thread))}
        >
          {texts.decline}
        </button>
        <button
          className="button primary"
          type="button"
          onClick={() =>
            void action
              .run(() => store.conversations.accept(thread))
              .then((isAccepted) => isAccepted && onAccept(thread.uri))
          }
        >
          {texts.accept}
        </button>
      </div>
    </div>
  );
}
