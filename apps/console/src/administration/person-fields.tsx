import type { ReactNode } from 'react';
import type { PersonAccount } from '../api/answers.js';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import styles from './administration.module.css';
import { PHONES, ROLES } from './person-content.js';

/** The fields of a person; empty without one. */
export function PersonFields({ account }: { readonly account?: PersonAccount }): ReactNode {
  return (
    <>
      <div className={forms['fields']}>
        <Text label="Name" name="name" value={account?.name} required />
        <Text label="Username" name="username" value={account?.username} required />
        <Text label="SIP address" name="sipAddress" value={account?.sipAddress} placeholder="sip: and the username" />
        <Text label="E-mail" name="mail" value={account?.mail} />
        <Text label="Title" name="title" value={account?.title} />
        <Text label="Department" name="department" value={account?.department} />
        <Text label="Company" name="company" value={account?.company} />
        <Text label="Office" name="office" value={account?.office} />
        {PHONES.map((kind) => (
          <Text
            key={kind}
            label={`Phone, ${kind}`}
            name={`phone.${kind}`}
            value={account?.phones[kind]}
            placeholder="+12025550100"
          />
        ))}
        <label className={fields['label']}>
          Contacts (usernames)
          <textarea className="field" name="contacts" rows={2} defaultValue={account?.contacts.join('\n')} />
        </label>
      </div>
      <fieldset className={styles['roles']}>
        <legend>Roles</legend>
        {ROLES.map(([role, about]) => (
          <label key={role} className={styles['role']}>
            <input type="checkbox" name="role" value={role} defaultChecked={account?.roles.includes(role)} />
            {role} <span className="muted">{about}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | null | undefined;
  readonly placeholder?: string;
  readonly required?: boolean;
}

function Text({ label, name, value, placeholder, required = false }: TextProps): ReactNode {
  return (
    <label className={fields['label']}>
      {label}
      <input
        className="field"
        name={name}
        dir="auto"
        autoComplete="off"
        maxLength={256}
        defaultValue={value ?? ''}
        placeholder={placeholder}
        required={required}
      />
    </label>
  );
}
