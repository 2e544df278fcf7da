import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import forms from '../parts/form.module.css';
import { accountHref } from './account-address.js';
import styles from './administration.module.css';
import { contentIn } from './person-content.js';
import { PersonFields } from './person-fields.js';
import { useAddPerson } from './use-administration.js';

/** Adds a person, and shows the generated password once. */
export function AddPerson(): ReactNode {
  const id = useId();
  const add = useAddPerson();
  const [isOpen, setOpen] = useState(false);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (add.isPending) return;
    const form = new FormData(event.currentTarget);
    const body = { ...contentIn(form), withPassword: form.get('withPassword') !== null };
    add.mutate(body, { onSuccess: () => setOpen(false) });
  }
  if (!isOpen) {
    return (
      <section className={`card ${forms['note']}`} aria-label="Add a person">
        <div className={forms['buttons']}>
          <button className="button primary" type="button" onClick={() => setOpen(true)}>
            Add person
          </button>
          <span role="status">{add.data !== undefined && <Added {...add.data} />}</span>
        </div>
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby={id}>
      <form className={forms['form']} onSubmit={submit}>
        <h2 id={id}>Add a person</h2>
        <PersonFields />
        <label className={styles['role']}>
          <input type="checkbox" name="withPassword" defaultChecked /> with a generated password
        </label>
        <p className={forms['problem']} role="alert">
          {add.error?.message}
        </p>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={add.isPending}>
            Add
          </button>
          <button className="button" type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  );
}

function Added({ username, password }: { readonly username: string; readonly password: string | null }): ReactNode {
  return (
    <>
      <Link href={accountHref(username)}>{username}</Link> was added
      {password === null ? ' without a password.' : <OncePassword password={password} />}
    </>
  );
}

/** A password that nobody can read later. */
export function OncePassword({ password }: { readonly password: string }): ReactNode {
  return (
    <>
      {' '}
      with the password <code className={styles['password']}>{password}</code>, shown only once.
    </>
  );
}
