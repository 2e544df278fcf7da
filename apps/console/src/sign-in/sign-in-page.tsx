import { useState, type FormEvent, type ReactNode } from 'react';
import { SignInRefused, type Session, Unreachable } from '../web-interface/index.js';
import styles from './sign-in-page.module.css';

/** The sign-in page. The address stays the same, so that a deep link is opened after sign-in. */
export function SignInPage({ session, expired }: { readonly session: Session; readonly expired: boolean }): ReactNode {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function signIn(form: FormData): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await session.signIn({ username: textOf(form, 'username').trim(), password: textOf(form, 'password') });
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
        {expired && problem === undefined && <p role="status">Your sign-in has expired. Sign in again to go on.</p>}
        <label className={styles['label']}>
          User name
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
          Password
          <input className="field" name="password" type="password" autoComplete="current-password" required />
        </label>
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
        <button className="button primary" type="submit" aria-disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

function wordsFor(error: unknown): string {
  if (error instanceof SignInRefused || error instanceof Unreachable) return error.message;
  return 'The server does not answer as it should. Try again, or tell whoever runs it.';
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
