import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Time } from '../parts/time/time.js';
import styles from './conversation.module.css';
import type { PeopleStore } from './people-store.js';
import { newThread, type Line, type Person, type Thread } from './threads.js';
import { useAction } from './use-action.js';
import { texts } from '../texts/people.js';

export interface ConversationProps {
  readonly store: Pick<PeopleStore, 'conversations' | 'read'>;
  readonly person: Person;
  readonly thread: Thread | undefined;
  /** Nothing can be written any more. */
  readonly isClosed?: boolean;
}

/** The server accepts at most 8 KiB; a character may have four bytes. */
const MOST_LETTERS = 2000;

/** The messages of a conversation, and the input field. */
export function Conversation(props: ConversationProps): ReactNode {
  const { store, person, thread = newThread(person), isClosed = false } = props;
  const { lines, uri, unread, isTyping, isResumed = false } = thread;
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (unread > 0) store.read(uri);
  }, [store, uri, unread]);
  useEffect(() => {
    if (lines.length > 0 || isTyping) end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines, isTyping]);

  return (
    <section className={styles['conversation']} aria-label={texts.conversationWith(person.name)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard */}
      <div className={styles['lines']} role="log" aria-label={texts.messages} tabIndex={0}>
        {isResumed && <p className={`muted ${styles['nothing']}`}>{texts.earlierNotShown}</p>}
        {lines.length === 0 && !isResumed && (
          <p className={`muted ${styles['nothing']}`}>
            {isClosed ? texts.noMessages : texts.noMessagesYet(person.name)}
          </p>
        )}
        {lines.map((line) => (
          <LineOf key={line.operationId ?? line.id} line={line} name={person.name} />
        ))}
        <div className={styles['typing']} ref={end}>
          {isTyping && texts.personIsWriting(person.name)}
        </div>
      </div>
      {isClosed ? (
        <p className={styles['closed']}>{texts.conversationEnded}</p>
      ) : (
        <Composer store={store} person={person} thread={thread} />
      )}
    </section>
  );
}

interface ComposerProps extends Pick<ConversationProps, 'store' | 'person'> {
  readonly thread: Thread;
}

function Composer({ store, person, thread }: ComposerProps): ReactNode {
  const { conversations } = store;
  const { phase } = thread;
  const [draft, setDraft] = useState('');
  const action = useAction();

  function send(): void {
    const text = draft.trim();
    if (text === '') return;
    setDraft('');
    void action.run(() => conversations.sendMessage(person, text));
  }
  function key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className={`field ${styles['text']}`}
        aria-label={texts.messageTo(person.name)}
        placeholder={texts.writeMessage}
        rows={2}
        maxLength={MOST_LETTERS}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          void conversations.typing(thread);
        }}
        onKeyDown={key}
      />
      <div className={styles['buttons']}>
        <button className="button primary" type="submit" aria-disabled={draft.trim() === ''}>
          {texts.send}
        </button>
        {phase === 'open' && (
          <button className="button" type="button" onClick={() => void action.run(() => conversations.end(thread))}>
            {texts.end}
          </button>
        )}
      </div>
      <p className={styles['state']} role="status">
        {action.problem ?? texts.phases[phase]}
      </p>
    </form>
  );
}

function LineOf({ line, name }: { readonly line: Line; readonly name: string }): ReactNode {
  const { isOwn, text, at, delivery, failure } = line;
  const state = failure ?? (delivery === undefined ? undefined : texts.deliveries[delivery]);
  return (
    <div className={`${styles['line']} ${isOwn ? styles['own'] : ''}`}>
      <span className="unseen">{isOwn ? texts.you : name}: </span>
      <p className={styles['bubble']}>{text}</p>
      <div className={`${styles['about']} ${failure === undefined ? '' : styles['failed']}`}>
        <Time at={at} />
        {state !== undefined && ` · ${state}`}
      </div>
    </div>
  );
}
