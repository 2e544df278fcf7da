import type { ReactNode } from 'react';
import type { Sessions } from '../api/answers.js';
import { Time } from '../parts/time.js';
import { WideTable } from '../parts/wide-table.js';
import styles from './account.module.css';

export type Session = Sessions['items'][number];

interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onEnd: (id: string) => void;
}

/** Sessions with a button to end each of them, but not that of this page. */
export function SessionList({ sessions, busy, error, onEnd }: SessionListProps): ReactNode {
  return (
    <>
      {error !== null && (
        <p className={styles['problem']} role="alert">
          {error.message}
        </p>
      )}
      <WideTable label="Table of sessions">
        <thead>
          <tr>
            <th>Signed in</th>
            <th>Last used</th>
            <th>Address</th>
            <th>Client</th>
            <th>Method</th>
            <th>End</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Row key={session.id} session={session} busy={busy} onEnd={() => onEnd(session.id)} />
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

interface RowProps {
  readonly session: Session;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Row({ session, busy, onEnd }: RowProps): ReactNode {
  const { current, signedInAt, lastUsedAt, address, userAgent, signedInWith } = session;
  return (
    <tr>
      <th scope="row">
        <Time at={signedInAt} />
      </th>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td>{address ?? '–'}</td>
      <td className={styles['program']} title={userAgent ?? undefined}>
        {userAgent ?? '–'}
      </td>
      <td>{signedInWith === 'password' ? 'password' : 'single sign-on'}</td>
      <td>
        {current ? (
          <span className="muted">this session</span>
        ) : (
          <button
            className="button"
            type="button"
            disabled={busy}
            aria-label={`End the session from ${address ?? 'an unknown address'}`}
            onClick={onEnd}
          >
            End
          </button>
        )}
      </td>
    </tr>
  );
}
