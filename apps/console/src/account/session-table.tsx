import type { ReactNode } from 'react';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import { WideTable } from '../parts/wide-table.js';
import styles from './account.module.css';
import { useEndSessions, useOwnSessions, type Session } from './use-account.js';

/** Where the person is signed in. */
export function SessionTable(): ReactNode {
  const end = useEndSessions();
  const query = useOwnSessions();
  const others = query.data?.filter(({ current }) => !current).length ?? 0;
  const endOthers = (
    <button
      className="button"
      type="button"
      disabled={others === 0 || end.isPending}
      onClick={() => end.mutate(undefined)}
    >
      End all others
    </button>
  );
  return (
    <Section title="Sessions" query={query} tools={endOthers}>
      {(sessions) => (
        <>
          {end.error !== null && (
            <p className={styles['problem']} role="alert">
              {end.error.message}
            </p>
          )}
          <WideTable label="Table of sessions">
            <thead>
              <tr>
                <th>Signed in</th>
                <th>Last used</th>
                <th>Address</th>
                <th>Program</th>
                <th>With</th>
                <th>End</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => (
                <Row key={session.id} session={session} busy={end.isPending} onEnd={() => end.mutate(session.id)} />
              ))}
            </tbody>
          </WideTable>
        </>
      )}
    </Section>
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
