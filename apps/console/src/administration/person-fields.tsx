import type { ReactNode } from 'react';
import type { PersonAccount } from '../api/answers.js';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { texts } from '../texts/administration.js';
import styles from './administration.module.css';
import { PHONES, ROLES } from './person-content.js';

/** The fields of a person; empty without one. */
export function PersonFields({ account }: { readonly account?: PersonAccount }): ReactNode {
  return (
    <>
      <div className={forms['fields']}>
        <Text label={texts.name} name="name" value={account?.name} required />
        <Text label={texts.username} name="username" value={account?.username} required />
        <Text
          label={texts.sipAddress}
          name="sipAddress"
          value={account?.sipAddress}
          placeholder={texts.sipAddressExample}
        />
        <Text label={texts.mail} name="mail" value={account?.mail} />
        <Text label={texts.jobTitle} name="title" value={account?.title} />
        <Text label={texts.department} name="department" value={account?.department} />
        <Text label={texts.company} name="company" value={account?.company} />
        <Text label={texts.office} name="office" value={account?.office} />
        {PHONES.map((kind) => (
          <Text
            key={kind}
            label={texts.phones[kind]}
            name={`phone.${kind}`}
            value={account?.phones[kind]}
            placeholder="+12025550100"
          />
        ))}
        <label className={fields['label']}>
          {texts.contacts}
          <textarea className="field" name="contacts" rows={2} defaultValue={account?.contacts.join('\n')} />
        </label>
      </div>
      <fieldset className={styles['roles']}>
        <legend>{texts.roles}</legend>
        {ROLES.map((role) => (
          <label key={role} className={styles['role']}>
            <input type="checkbox" name="role" value={role} defaultChecked={account?.roles.includes(role)} />
            {role} <span className="muted">{texts.roleHints[role]}</span>
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
