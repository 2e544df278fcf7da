import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import { filled } from '../parts/filled.js';
import forms from '../parts/form.module.css';
import { texts } from '../texts/administration.js';
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
      <section className={`card ${forms['note']}`} aria-label={texts.addPerson}>
        <div className={forms['buttons']}>
          <button className="button primary" type="button" onClick={() => setOpen(true)}>
            {texts.openForm}
          </button>
          <span role="status">{add.data !== undefined && <Added {...add.data} />}</span>
        </div>
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby={id}>
      <form className={forms['form']} onSubmit={submit}>
        <h2 id={id}>{texts.addPerson}</h2>
        <PersonFields />
        <label className={styles['role']}>
          <input type="checkbox" name="withPassword" defaultChecked /> {texts.withPassword}
        </label>
        <p className={forms['problem']} role="alert">
          {add.error?.message}
        </p>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={add.isPending}>
            {texts.add}
          </button>
          <button className="button" type="button" onClick={() => setOpen(false)}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </section>
  );
}

function Added({ username, password }: { readonly username: string; readonly password: string | null }): ReactNode {
  const link = <Link href={accountHref(username)}>{username}</Link>;
  if (password === null) return filled(texts.addedWithoutPassword, link);
  return filled(texts.addedWithPassword, link, <Password>{password}</Password>);
}

/** A password that is shown only once. */
export function Password({ children }: { readonly children: string }): ReactNode {
  return <code className={styles['password']}>{children}</code>;
}
