import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { PasswordRuleCode } from '../api/answers.js';
import { formatNumber } from '../parts/format.js';
import { useSignedIn } from '../services/services.js';
import { Section } from '../parts/section.js';
import styles from './account.module.css';
import { useChangePassword, usePasswordRules } from './use-account.js';
import { texts } from '../texts/account.js';

/** Another password, with its rules before they are broken. */
export function PasswordForm(): ReactNode {
  const { username } = useSignedIn();
  const rulesId = useId();
  const change = useChangePassword();
  const [mismatch, setMismatch] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const [current, chosen, again] = ['current', 'chosen', 'again'].map((name) =>
      formFieldText(new FormData(form), name),
    );
    setMismatch(chosen !== again);
    if (change.isPending || chosen !== again || current === undefined || chosen === undefined) return;
    change.mutate({ current, chosen }, { onSuccess: () => form.reset() });
  }

  const problem = mismatch ? texts.mismatch : change.error?.message;
  return (
    <Section title={texts.password} query={usePasswordRules()} height={480}>
      {({ minLength, maxLength, codes }) => (
        <form className={styles['form']} onSubmit={submit}>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <Password label={texts.currentPassword} name="current" autoComplete="current-password" />
          <div id={rulesId} className={styles['rules']}>
            {texts.rules}
            <ul>
              {codes.map((code) => (
                <li key={code}>{ruleWords(code, minLength, maxLength)}</li>
              ))}
            </ul>
          </div>
          <Password label={texts.newPassword} name="chosen" minLength={minLength} describedBy={rulesId} />
          <Password label={texts.confirmPassword} name="again" />
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
          <p role="status">{change.isSuccess && !mismatch && texts.changed}</p>
          <button className="button primary" type="submit" aria-disabled={change.isPending}>
            {change.isPending ? texts.changing : texts.change}
          </button>
        </form>
      )}
    </Section>
  );
}

interface PasswordProps {
  readonly label: string;
  readonly name: string;
  readonly autoComplete?: string;
  readonly minLength?: number;
  readonly describedBy?: string;
}

function Password({ label, name, autoComplete = 'new-password', minLength, describedBy }: PasswordProps): ReactNode {
  return (
    <label className={styles['label']}>
      {label}
      <input
        className="field"
        name={name}
        type="password"
        autoComplete={autoComplete}
        minLength={minLength}
        aria-describedby={describedBy}
        required
      />
    </label>
  );
}

function ruleWords(code: PasswordRuleCode, least: number, most: number): string {
  return code === 'length'
    ? texts.passwordRules.length(formatNumber(least), formatNumber(most))
    : texts.passwordRules[code];
}

function formFieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
