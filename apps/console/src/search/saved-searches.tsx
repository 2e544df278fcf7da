import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import type { SavedSearch, SearchPage } from '../api/answers.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import fields from '../parts/field.module.css';
import menu from '../parts/menu.module.css';
import { useServices } from '../services/services.js';
import { texts as parts } from '../texts/parts.js';
import { texts } from '../texts/search.js';
import type { Parameters } from './conditions.js';
import { searchOfSaved } from './saved-search.js';
import styles from './saved-searches.module.css';

const PATH = '/api/searches';
const KEY = ['saved-searches'];
/** As many as one operator may have; those that others share come after the newest own ones. */
const MOST = 200;

/** The saved searches, own ones and those of others, and a form that saves this one. */
export function SavedSearches({ parameters }: { readonly parameters: Parameters }): ReactNode {
  return (
    <DialogTrigger>
      <Button className="button">{texts.savedSearches}</Button>
      <Popover className={`${menu['menu']} ${styles['panel']}`} placement="bottom end">
        <Dialog aria-label={texts.savedSearches} className={styles['dialog'] ?? ''}>
          {({ close }) => (
            <>
              <List onOpen={close} />
              <SaveForm parameters={parameters} />
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function List({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { api } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<SearchPage>(PATH, { limit: MOST }, signal),
  });
  if (error !== null)
    return (
      <p role="alert">
        {error.message}{' '}
        <button className="button" type="button" onClick={() => void refetch()}>
          {texts.tryAgain}
        </button>
      </p>
    );
  if (data === undefined) return <p className="muted">{texts.loading}</p>;
  if (data.items.length === 0) return <p className="muted">{texts.noSearches}</p>;
  return (
    <ul className={styles['list']}>
      {data.items.map((saved) => (
        <li key={saved.id}>
          <Link href={`/calls${searchOfSaved(saved.parameters)}`} onClick={onOpen}>
            {saved.name}
          </Link>
          {saved.own ? <OwnSearch saved={saved} /> : <span className="muted">{texts.sharedBy(saved.owner)}</span>}
        </li>
      ))}
    </ul>
  );
}

function OwnSearch({ saved }: { readonly saved: SavedSearch }): ReactNode {
  const { id, etag, name, shared, parameters } = saved;
  const change = useChange(`${PATH}/${encodeURIComponent(id)}`, { 'if-match': etag });
  const sharing = shared ? texts.makePrivate : texts.shareWithAll;
  return (
    <>
      <span className="muted">{shared ? texts.shared : texts.private}</span>
      <button
        className="button"
        type="button"
        aria-label={parts.actionOn(sharing, name)}
        aria-disabled={change.isPending}
        onClick={() => {
          if (!change.isPending) change.mutate({ method: 'PUT', body: { name, shared: !shared, parameters } });
        }}
      >
        {sharing}
      </button>
      <ConfirmButton
        label={texts.delete}
        subject={name}
        confirm={texts.confirmDelete}
        busy={change.isPending}
        onConfirm={() => change.mutate({ method: 'DELETE' })}
      />
      {change.error !== null && <span role="alert">{change.error.message}</span>}
    </>
  );
}

function SaveForm({ parameters }: { readonly parameters: Parameters }): ReactNode {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useChange(PATH);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (save.isPending) return;
    const body = { name: name.trim(), shared, parameters };
    save.mutate({ method: 'POST', body }, { onSuccess: () => setName('') });
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <label className={fields['label']}>
        {texts.saveAs}
        <input
          className="field"
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className={styles['share']}>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} /> {texts.forAll}
      </label>
      <button className="button primary" type="submit" aria-disabled={save.isPending}>
        {texts.save}
      </button>
      <p className="muted">{texts.savedParts}</p>
      {save.error !== null && <p role="alert">{save.error.message}</p>}
    </form>
  );
}

interface Change {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
}

/** A change of the saved searches, after which the list is read again. */
function useChange(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): UseMutationResult<Response, Error, Change> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change) => api.open(path, { ...change, headers }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
