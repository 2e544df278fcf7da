import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { SignInRefused, type Session, type SingleSignOn, Unreachable } from '../web-interface/index.js';
import { ProviderButton } from './provider-button.js';
import styles from './sign-in-page.module.css';
import { texts } from '../texts/sign-in.js';

interface SignInPageProps {
  readonly session: Session;
  readonly expired: boolean;
  readonly singleSignOn: SingleSignOn;
  /** A sign-in that goes on since the provider has sent the person back. */
  readonly arrival: Promise<void> | undefined;
}

/** The sign-in page. The address stays the same, so that a deep link is opened after sign-in. */
export function SignInPage({ session, expired, singleSignOn, arrival }: SignInPageProps): ReactNode {
  const [busy, setBusy] = useState(arrival !== undefined);
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    if (arrival === undefined) return;
    arrival.catch((error: unknown) => setProblem(wordsFor(error))).finally(() => setBusy(false));
  }, [arrival]);

  async function signIn(form: FormData): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await session.signIn({
        username: formFieldText(form, 'username').trim(),
        password: formFieldText(form, 'password'),
      });
    } catch (error) {
      setProblem(wordsFor(error));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!busy) void signIn(new FormData(event.currentTarget));
  }

  return (
    <main className={styles['page']}>
      <form className={`card ${styles['form']}`} onSubmit={submit}>
        <h1>Ringdown</h1>
        {expired && problem === undefined && <p role="status">{texts.expired}</p>}
        <label className={styles['label']}>
          {texts.username}
          <input
            className="field"
            name="username"
            autoComplete="username"
            spellCheck={false}
            autoCapitalize="none"
            required
          />
        </label>
        <label className={styles['label']}>
          {texts.password}
          <input className="field" name="password" type="password" autoComplete="current-password" required />
        </label>
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
        <button className="button primary" type="submit" aria-disabled={busy}>
          {busy ? texts.signingIn : texts.signIn}
        </button>
        <ProviderButton singleSignOn={singleSignOn} />
      </form>
    </main>
  );
}

function wordsFor(error: unknown): string {
  if (error instanceof SignInRefused || error instanceof Unreachable) return error.message;
  return texts.unexpected;
}

function formFieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
