import { useState, type FormEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PersonSummary } from '../api/answers.js';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { WideTable } from '../parts/wide-table.js';
import { texts } from '../texts/administration.js';
import { accountHref } from './account-address.js';
import { AddPerson } from './add-person.js';
import styles from './administration.module.css';
import { ROLES } from './person-content.js';
import { SourceNote } from './source-note.js';
import { useAccounts } from './use-administration.js';

interface Filter {
  readonly search?: string;
  readonly role?: string;
  readonly blocked?: string;
}

/** All people, for administrators. */
export function AccountsView(): ReactNode {
  const [filter, setFilter] = useState<Filter>({});
  /** Where the pages up to this one begin. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = useAccounts({ ...filter, cursor: cursors.at(-1) });
  const { data, isPlaceholderData } = query;
  const next = data?.next ?? undefined;
  function select(chosen: Filter): void {
    setFilter(chosen);
    setCursors([]);
  }
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">{texts.title}</h1>
      {data !== undefined && (data.source === 'server' ? <AddPerson /> : <SourceNote source={data.source} />)}
      <FilterForm onSelect={select} />
      <Section title={texts.people} query={query}>
        {({ items }) => (
          <>
            {items.length === 0 ? <EmptyNote title={texts.noPeople} /> : <PeopleTable people={items} />}
            <nav className={forms['pages']} aria-label={texts.pages}>
              {cursors.length > 0 && (
                <button className="button" type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                  {texts.previous}
                </button>
              )}
              {next !== undefined && (
                <button
                  className="button"
                  type="button"
                  disabled={isPlaceholderData}
                  onClick={() => setCursors([...cursors, next])}
                >
                  {texts.next}
                </button>
              )}
            </nav>
          </>
        )}
      </Section>
    </div>
  );
}

function FilterForm({ onSelect }: { readonly onSelect: (filter: Filter) => void }): ReactNode {
  function select(form: HTMLFormElement): void {
    const chosen = [...new FormData(form)].filter(([, value]) => typeof value === 'string' && value !== '');
    onSelect(Object.fromEntries(chosen));
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    select(event.currentTarget);
  }
  const onChange = (event: { readonly currentTarget: HTMLSelectElement }): void => {
    if (event.currentTarget.form !== null) select(event.currentTarget.form);
  };
  return (
    <form className={`card ${styles['filters']}`} role="search" onSubmit={submit}>
      <label className={fields['label']}>
        {texts.searchedFields}
        <input className="field" name="search" type="search" maxLength={100} />
      </label>
      <label className={fields['label']}>
        {texts.role}
        <select className="field" name="role" onChange={onChange}>
          <option value="">{texts.any.role}</option>
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <label className={fields['label']}>
        {texts.state}
        <select className="field" name="blocked" onChange={onChange}>
          <option value="">{texts.any.state}</option>
          <option value="false">{texts.states.active}</option>
          <option value="true">{texts.states.blocked}</option>
        </select>
      </label>
      <button className="button primary" type="submit">
        {texts.search}
      </button>
    </form>
  );
}

function PeopleTable({ people }: { readonly people: readonly PersonSummary[] }): ReactNode {
  return (
    <WideTable label={texts.peopleTable}>
      <thead>
        <tr>
          <th>{texts.username}</th>
          <th>{texts.name}</th>
          <th>{texts.mail}</th>
          <th>{texts.jobTitle}</th>
          <th>{texts.department}</th>
          <th>{texts.roles}</th>
          <th>{texts.state}</th>
        </tr>
      </thead>
      <tbody>
        {people.map(({ username, name, mail, title, department, roles, blocked }) => (
          <tr key={username}>
            <th scope="row">
              <Link href={accountHref(username)}>{username}</Link>
            </th>
            <td dir="auto">{name}</td>
            <td>{mail ?? '–'}</td>
            <td dir="auto">{title ?? '–'}</td>
            <td dir="auto">{department ?? '–'}</td>
            <td>{roles.filter((role) => role !== 'user').join(', ') || '–'}</td>
            <td className={blocked ? styles['blocked'] : undefined}>
              {blocked ? texts.states.blocked : texts.states.active}
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
