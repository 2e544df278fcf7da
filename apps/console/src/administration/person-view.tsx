import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { SessionList } from '../account/session-list.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import { filled } from '../parts/filled.js';
import forms from '../parts/form.module.css';
import { LoadingNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { UnreadPage } from '../parts/unread-page.js';
import { useSignedIn } from '../services/services.js';
import { texts } from '../texts/administration.js';
import { accountHref, usernameInAddress } from './account-address.js';
import { Password } from './add-person.js';
import styles from './administration.module.css';
import { contentIn, withBlock } from './person-content.js';
import { PersonFields } from './person-fields.js';
import {
  useAccount,
  useChangePerson,
  useEndBinding,
  useEndSessionsOf,
  useRemovePerson,
  useResetPassword,
  useSessionsOf,
  type ReadPerson,
} from './use-administration.js';

/** One person: what an administrator changes, and where the person is signed in. */
export function PersonView(): ReactNode {
  useParams();
  const username = usernameInAddress(location.pathname);
  const { data, error, refetch } = useAccount(username);
  /** How often the form was filled again with the state of the server: a block or a new password leaves what is typed. */
  const [fills, setFills] = useState(0);
  const fillAgain = (): void => setFills((before) => before + 1);
  async function readAgain(): Promise<void> {
    const { isSuccess } = await refetch();
    if (isSuccess) fillAgain();
  }
  return (
    <div className={sections['sections']}>
      <nav aria-label={texts.title}>
        <Link href="/accounts">{texts.allAccounts}</Link>
      </nav>
      {data !== undefined && (
        <>
          <PersonForm
            key={`${fills} ${data.account.username}`}
            person={data}
            onSaved={fillAgain}
            onReadAgain={() => void readAgain()}
          />
          <SignIn key={`of ${data.account.username}`} person={data} />
          <PersonSessions username={data.account.username} />
        </>
      )}
      {data === undefined && error === null && <LoadingNote />}
      {data === undefined && error !== null && <UnreadPage error={error} retry={() => void refetch()} />}
    </div>
  );
}

interface PersonFormProps {
  readonly person: ReadPerson;
  readonly onSaved: () => void;
  readonly onReadAgain: () => void;
}

function PersonForm({ person: { account, etag }, onSaved, onReadAgain }: PersonFormProps): ReactNode {
  const [, navigate] = useLocation();
  const change = useChangePerson(account.username);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (change.isPending) return;
    const content = contentIn(new FormData(event.currentTarget), account.blocked);
    change.mutate(
      { content, etag },
      {
        onSuccess: ({ account: { username } }) => {
          navigate(accountHref(username), { replace: true });
          onSaved();
        },
      },
    );
  }
  return (
    <section className="card" aria-label={texts.person}>
      <form className={forms['form']} onSubmit={submit}>
        <h1 dir="auto">{account.name}</h1>
        <PersonFields account={account} />
        <p className="muted">{texts.newIdentity}</p>
        <p className={forms['problem']} role="alert">
          {change.error?.message}
        </p>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={change.isPending}>
            {texts.save}
          </button>
          <button className="button" type="button" onClick={onReadAgain}>
            {texts.reload}
          </button>
        </div>
      </form>
    </section>
  );
}

/** Password, binding, block and removal: not of the own account. */
function SignIn({ person: { account, etag } }: { readonly person: ReadPerson }): ReactNode {
  const [, navigate] = useLocation();
  const { username: own } = useSignedIn();
  const { username, blocked } = account;
  const reset = useResetPassword(username);
  const binding = useEndBinding(username);
  const change = useChangePerson(username);
  const remove = useRemovePerson(username);
  const busy = reset.isPending || binding.isPending || change.isPending || remove.isPending;
  const problem = reset.error ?? binding.error ?? change.error ?? remove.error;
  return (
    <section className={`card ${forms['note']}`} aria-label={texts.signIn}>
      <div className={forms['buttons']}>
        <span className={blocked ? styles['blocked'] : undefined}>{signInWords(account)}</span>
        {username === own ? (
          <span className="muted">{texts.ownAccount}</span>
        ) : (
          <>
            <ConfirmButton
              label={texts.resetPassword}
              confirm={texts.confirmReset}
              busy={busy}
              onConfirm={() => reset.mutate(etag)}
            />
            <ConfirmButton
              label={texts.endBinding}
              confirm={texts.confirmEndBinding}
              busy={busy}
              onConfirm={() => binding.mutate()}
            />
            <button
              className="button"
              type="button"
              disabled={busy}
              onClick={() => change.mutate({ content: withBlock(account, !blocked), etag })}
            >
              {blocked ? texts.unblock : texts.block}
            </button>
            <ConfirmButton
              label={texts.remove}
              confirm={texts.removePerson(username)}
              busy={busy}
              onConfirm={() => remove.mutate(etag, { onSuccess: () => navigate('/accounts') })}
            />
          </>
        )}
      </div>
      <p role="status">
        {reset.data !== undefined && filled(texts.signsInWith, username, <Password>{reset.data}</Password>)}
        {binding.isSuccess && texts.bindingEnded}
      </p>
      <p className={forms['problem']} role="alert">
        {problem?.message}
      </p>
    </section>
  );
}

function signInWords({ blocked, hasPassword }: ReadPerson['account']): string {
  if (blocked) return hasPassword ? texts.blockedWithPassword : texts.blockedWithoutPassword;
  return hasPassword ? texts.activeWithPassword : texts.activeWithoutPassword;
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
      {texts.endAll}
    </button>
  );
  return (
    <Section title={texts.sessions} query={query} tools={endAll}>
      {(sessions) => (
        <SessionList sessions={sessions} busy={end.isPending} error={end.error} onEnd={(id) => end.mutate(id)} />
      )}
    </Section>
  );
}
