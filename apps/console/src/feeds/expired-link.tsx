import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FrontEnd } from '../api/answers.js';
import { recentCallsHref } from './feed-address.js';

interface ExpiredLinkProps {
  readonly frontEnd: FrontEnd;
  /** How many there are. */
  readonly children: ReactNode;
}

/** The number of expired calls; if there are some, a link to the search for them. */
export function ExpiredLink({ frontEnd: { name, expired }, children }: ExpiredLinkProps): ReactNode {
  if (expired === 0) return <span className="muted">{children}</span>;
  return <Link href={recentCallsHref({ frontEnd: name, state: 'expired', last: 'all' })}>{children}</Link>;
}
