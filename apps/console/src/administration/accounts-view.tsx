import { useState, type FormEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PersonSummary } from '../api/answers.js';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { WideTable } from '../parts/wide-table.js';
import { accountHref } from './account-address.js';
import { AddPerson } from './add-person.js';
import styles from './administration.module.css';
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
      <h1 className="unseen">Accounts</h1>
      {data !== undefined && (data.source === 'server' ? <AddPerson /> : <SourceNote source={data.source} />)}
      <FilterForm onSelect={select} />
      <Section title="People" query={query}>
        {({ items }) => (
          <>
            {items.length === 0 ? <EmptyNote title="No people match." /> : <PeopleTable people={items} />}
            <nav className={forms['pages']} aria-label="Pages">
              {cursors.length > 0 && (
                <button className="button" type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                  Previous
                </button>
              )}
              {next !== undefined && (
                <button
                  className="button"
                  type="button"
                  disabled={isPlaceholderData}
                  onClick={() => setCursors([...cursors, next])}
                >
                  Next
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
        Name, address, number
        <input className="field" name="search" type="search" maxLength={100} />
      </label>
      <label className={fields['label']}>
        Role
        <select className="field" name="role" onChange={onChange}>
          <option value="">any</option>
          <option>operator</option>
          <option>reveal</option>
          <option>admin</option>
        </select>
      </label>
      <label className={fields['label']}>
        State
        <select className="field" name="blocked" onChange={onChange}>
          <option value="">any</option>
          <option value="false">active</option>
          <option value="true">blocked</option>
        </select>
      </label>
      <button className="button primary" type="submit">
        Search
      </button>
    </form>
  );
}

function PeopleTable({ people }: { readonly people: readonly PersonSummary[] }): ReactNode {
  return (
    <WideTable label="Table of people">
      <thead>
        <tr>
          <th>Username</th>
          <th>Name</th>
          <th>E-mail</th>
          <th>Title</th>
          <th>Department</th>
          <th>Roles</th>
          <th>State</th>
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
            <td className={blocked ? styles['blocked'] : undefined}>{blocked ? 'blocked' : 'active'}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
