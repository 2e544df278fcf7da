import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Invitations } from '../people/invitations.js';
import toasts from '../people/people.module.css';
import type { Thread } from '../people/threads.js';
import { usePeople } from '../people/use-people.js';
import { texts } from '../texts/notices.js';
import styles from './notices.module.css';
import { waitingCount } from './waiting-count.js';

interface MessageNoticesProps {
  /** Called with the number of unread messages and open invitations. */
  readonly onCount: (count: number) => void;
}

/** Invitations in every view; unread messages in every view but that of people, which shows them itself. */
export function MessageNotices({ onCount }: MessageNoticesProps): ReactNode {
  const { store, state } = usePeople();
  const [here, navigate] = useLocation();
  /** By person, how many lines there were when the toast was hidden. */
  const [hidden, hide] = useState<ReadonlyMap<string, number>>(new Map());
  const threads = state.threads.all;
  const count = waitingCount(threads);
  useEffect(() => onCount(count), [onCount, count]);
  const unread = here === '/people' ? [] : threads.filter((thread) => isNews(thread, hidden));
  const open = (uri: string): void => navigate(`/people?${new URLSearchParams({ with: uri }).toString()}`);
  return (
    <Invitations store={store} threads={threads} onAccept={open}>
      {unread.map((thread) => (
        <MessageToast
          key={thread.uri}
          thread={thread}
          onOpen={() => open(thread.uri)}
          onHide={() => hide(new Map([...hidden, [thread.uri, thread.lines.length]]))}
        />
      ))}
    </Invitations>
  );
}

/** A message that has arrived since the toast was hidden. */
function isNews({ uri, unread, lines, invitation }: Thread, hidden: ReadonlyMap<string, number>): boolean {
  return unread > 0 && invitation === undefined && lines.length > (hidden.get(uri) ?? 0);
}

interface MessageToastProps {
  readonly thread: Thread;
  readonly onOpen: () => void;
  readonly onHide: () => void;
}

function MessageToast({ thread: { name, lines }, onOpen, onHide }: MessageToastProps): ReactNode {
  return (
    <div className={`card ${toasts['toast']}`}>
      <strong dir="auto">{name}</strong>
      <p className={styles['message']} dir="auto">
        {lines.at(-1)?.text}
      </p>
      <span className={styles['buttons']}>
        <button className="button primary" type="button" onClick={onOpen}>
          {texts.open}
        </button>
        <button className="button" type="button" onClick={onHide}>
          {texts.dismiss}
        </button>
      </span>
    </div>
  );
}
