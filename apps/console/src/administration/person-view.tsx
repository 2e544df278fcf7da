import type { FormEvent, ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { SessionList } from '../account/session-list.js';
import forms from '../parts/form.module.css';
import { ErrorNote, LoadingNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { useSignedIn } from '../services/services.js';
import { accountHref, usernameOf } from './account-address.js';
import { OncePassword } from './add-person.js';
import styles from './administration.module.css';
import { ConfirmButton } from '../parts/confirm-button.js';
import { contentIn, withBlock } from './person-content.js';
import { PersonFields } from './person-fields.js';
import {
  useAccount,
  useChangePerson,
  useEndSessionsOf,
  useRemovePerson,
  useResetPassword,
  useSessionsOf,
  type ReadPerson,
} from './use-administration.js';

/** One person: what an administrator changes, and where the person is signed in. */
export function PersonView(): ReactNode {
  useParams();
  const username = usernameOf(location.pathname);
  const { data, error, refetch } = useAccount(username);
  return (
    <div className={sections['sections']}>
      <nav aria-label="Accounts">
        <Link href="/accounts">All accounts</Link>
      </nav>
      {data !== undefined && (
        <>
          <PersonForm key={data.etag} person={data} onReadAgain={() => void refetch()} />
          <SignIn key={`of ${data.account.username}`} person={data} />
          <PersonSessions username={data.account.username} />
        </>
      )}
      {data === undefined && error === null && <LoadingNote />}
      {data === undefined && error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
    </div>
  );
}

interface PersonFormProps {
  readonly person: ReadPerson;
  readonly onReadAgain: () => void;
}

function PersonForm({ person: { account, etag }, onReadAgain }: PersonFormProps): ReactNode {
  const [, navigate] = useLocation();
  const change = useChangePerson(account.username);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (change.isPending) return;
    const content = contentIn(new FormData(event.currentTarget), account.blocked);
    change.mutate(
      { content, etag },
      { onSuccess: ({ account: { username } }) => navigate(accountHref(username), { replace: true }) },
    );
  }
  return (
    <section className="card" aria-label="Person">
      <form className={forms['form']} onSubmit={submit}>
        <h1 dir="auto">{account.name}</h1>
        <PersonFields account={account} />
        <p className="muted">
          A changed username or SIP address is a new identity. Changing the username ends all sessions.
        </p>
        <p className={forms['problem']} role="alert">
          {change.error?.message}
        </p>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={change.isPending}>
            Save
          </button>
          <button className="button" type="button" onClick={onReadAgain}>
            Reload
          </button>
        </div>
      </form>
    </section>
  );
}

/** Password, block and removal: not of the own account. */
function SignIn({ person: { account, etag } }: { readonly person: ReadPerson }): ReactNode {
  const [, navigate] = useLocation();
  const { username: own } = useSignedIn();
  const { username, blocked, hasPassword } = account;
  const reset = useResetPassword(username);
  const change = useChangePerson(username);
  const remove = useRemovePerson(username);
  const busy = reset.isPending || change.isPending || remove.isPending;
  const problem = reset.error ?? change.error ?? remove.error;
  return (
    <section className={`card ${forms['note']}`} aria-label="Sign-in">
      <div className={forms['buttons']}>
        <span className={blocked ? styles['blocked'] : undefined}>
          {blocked ? 'blocked' : 'active'}, {hasPassword ? 'with a password' : 'without a password'}
        </span>
        {username === own ? (
          <span className="muted">
            This is your own account: only another administrator can reset, block or remove it.
          </span>
        ) : (
          <>
            <ConfirmButton
              label="Reset password"
              confirm="Reset and end all sessions"
              busy={busy}
              onConfirm={() => reset.mutate(etag)}
            />
            <button
              className="button"
              type="button"
              disabled={busy}
              onClick={() => change.mutate({ content: withBlock(account, !blocked), etag })}
            >
              {blocked ? 'Unblock' : 'Block'}
            </button>
            <ConfirmButton
              label="Remove"
              confirm={`Remove ${username}`}
              busy={busy}
              onConfirm={() => remove.mutate(etag, { onSuccess: () => navigate('/accounts') })}
            />
          </>
        )}
      </div>
      <p role="status">
        {reset.data !== undefined && (
          <>
            {username} signs in
            <OncePassword password={reset.data} />
          </>
        )}
      </p>
      <p className={forms['problem']} role="alert">
        {problem?.message}
      </p>
    </section>
  );
}

function PersonSessions({ username }: { readonly username: string }): ReactNode {
  const query = useSessionsOf(username);
  const end = useEndSessionsOf(username);
  const endAll = (
    <button
      className="button"
      type="button"
      disabled={(query.data?.length ?? 0) === 0 || end.isPending}
      onClick={() => end.mutate(undefined)}
    >
      End all
    </button>
  );
  return (
    <Section title="Sessions" query={query} tools={endAll}>
      {(sessions) => (
        <SessionList sessions={sessions} busy={end.isPending} error={end.error} onEnd={(id) => end.mutate(id)} />
      )}
    </Section>
  );
}
