import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallPage } from '../api/answers.js';
import { queryIn } from '../api/query-text.js';
import { useServices } from '../services/services.js';
import { callHref } from '../parts/call-address.js';
import { neighboursIn, nextList } from './neighbours.js';
import styles from './list-links.module.css';
import { texts } from '../texts/call.js';

interface ListLinksProps {
  readonly callId: string;
  /** The page of results from which the call was opened. */
  readonly list: string;
}

/** The previous and the next call of the search. */
export function ListLinks({ callId, list }: ListLinksProps): ReactNode {
  const { data } = usePage(list);
  const found = data && neighboursIn(data, callId);
  const isLast = found !== undefined && found.next === undefined;
  const following = isLast && data !== undefined ? nextList(list, data) : undefined;
  const after = usePage(following);
  const next = found?.next ?? after.data?.items[0]?.callId;
  return (
    <nav className={styles['links']} aria-label={texts.searchLinks}>
      <Step label={texts.previousCall} sign="←" callId={found?.previous} list={list} />
      <Step
        label={texts.nextCall}
        sign="→"
        callId={next}
        list={found?.next === undefined ? (following ?? list) : list}
      />
      <Link className="button" href={`/calls?${list}`}>
        {texts.allResults}
      </Link>
    </nav>
  );
}

/** The order stays the same while the operator walks through it. */
function usePage(list: string | undefined): { readonly data: CallPage | undefined } {
  const { api } = useServices();
  return useQuery({
    queryKey: ['list of calls', list], // not shown: a key
    queryFn: ({ signal }) => api.get<CallPage>('/api/calls', { ...queryIn(list ?? ''), limit: 50 }, signal),
    enabled: list !== undefined,
    staleTime: Infinity,
  });
}

interface StepProps {
  readonly label: string;
  readonly sign: string;
  readonly callId: string | undefined;
  readonly list: string;
}

function Step({ label, sign, callId, list }: StepProps): ReactNode {
  if (callId === undefined) {
    return (
      <span className="button" aria-disabled="true" role="link" aria-label={label}>
        {sign}
      </span>
    );
  }
  return (
    <Link
      ref={isFollowed(label) ? focus : null}
      className="button"
      href={callHref(callId, list)}
      state={{ followed: label }}
      aria-label={label}
      title={label}
    >
      {sign}
    </Link>
  );
}

/** The page of the next call has the focus where it was, so that Enter goes on and on. */
function isFollowed(label: string): boolean {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'followed' in state && state.followed === label;
}

function focus(link: HTMLAnchorElement | null): void {
  if (document.activeElement === document.body) link?.focus();
}
