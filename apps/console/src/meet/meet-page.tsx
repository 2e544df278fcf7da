import { useState, type FormEvent, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Conversation } from '../people/conversation.js';
import type { GuestMeeting } from '../web-interface/index.js';
import styles from './meet-page.module.css';
import type { MeetState, MeetStore } from './meet-store.js';
import { texts } from '../texts/meet.js';

/** The page of a meeting, for guests: a name, then the conversation with the organizer. */
export function MeetPage({ store }: { readonly store: MeetStore | undefined }): ReactNode {
  if (store === undefined) {
    return (
      <Card>
        <h1>{texts.noMeeting}</h1>
        <p>{texts.noMeetingReason}</p>
      </Card>
    );
  }
  return <Visit store={store} />;
}

function Visit({ store }: { readonly store: MeetStore }): ReactNode {
  const { state } = useSyncExternalStore(store.subscribe, store.snapshot);
  useEffect(() => {
    document.title = state.kind === 'inside' ? meetingTitle(state.meeting) : texts.meeting;
  }, [state]);
  return state.kind === 'inside' ? <Inside store={store} state={state} /> : <Entry store={store} state={state} />;
}

interface EntryProps {
  readonly store: MeetStore;
  readonly state: Exclude<MeetState, { kind: 'inside' }>;
}

function Entry({ store, state }: EntryProps): ReactNode {
  const [name, setName] = useState('');
  const isBusy = state.kind === 'entering';
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void store.enter(name.trim());
  }
  return (
    <Card>
      <form className={styles['form']} onSubmit={submit}>
        <h1>{texts.title}</h1>
        <p className="muted">{texts.about}</p>
        <label className={styles['label']}>
          {texts.name}
          <input
            className="field"
            name="name"
            autoComplete="name"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
          />
        </label>
        <p className={styles['problem']} role="alert">
          {state.kind === 'outside' ? state.problem : undefined}
        </p>
        <button className="button primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? texts.joining : texts.join}
        </button>
      </form>
    </Card>
  );
}

interface InsideProps {
  readonly store: MeetStore;
  readonly state: Extract<MeetState, { kind: 'inside' }>;
}

function Inside({ store, state: { meeting, channel } }: InsideProps): ReactNode {
  const { threads } = useSyncExternalStore(store.subscribe, store.snapshot);
  const { organizer } = meeting;
  const isOver = channel === 'signedOut' || channel === 'ended';
  return (
    <main className={styles['meeting']}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h1 className={styles['title']}>{meetingTitle(meeting)}</h1>
          <p className="muted">{texts.organizer(organizer.name)}</p>
        </div>
        <button className="button" type="button" onClick={() => store.leave()}>
          {texts.leave}
        </button>
      </header>
      <p className={styles['trouble']} role="status">
        {isOver && texts.over}
        {channel === 'reconnecting' && texts.notResponding}
      </p>
      <Conversation store={store} person={organizer} thread={threads.with(organizer.uri)} isClosed={isOver} />
    </main>
  );
}

function Card({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <main className={styles['page']}>
      <div className={`card ${styles['card']}`}>{children}</div>
    </main>
  );
}

function meetingTitle({ subject, organizer }: GuestMeeting): string {
  return subject ?? texts.meetingWith(organizer.name);
}
