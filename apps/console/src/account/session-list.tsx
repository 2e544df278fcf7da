import type { ReactNode } from 'react';
import type { Sessions } from '../api/answers.js';
import { Time } from '../parts/time/time.js';
import { WideTable } from '../parts/wide-table.js';
import styles from './account.module.css';
import { texts } from '../texts/account.js';

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
      <WideTable label={texts.sessionTable}>
        <thead>
          <tr>
            <th>{texts.signedIn}</th>
            <th>{texts.lastUsed}</th>
            <th>{texts.address}</th>
            <th>{texts.client}</th>
            <th>{texts.method}</th>
            <th>{texts.end}</th>
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
      <td className={styles['program']} lang="en" title={userAgent ?? undefined}>
        {userAgent ?? '–'}
      </td>
      <td>{signedInWith === 'password' ? texts.methods.password : texts.methods.provider}</td>
      <td>
        {current ? (
          <span className="muted">{texts.thisSession}</span>
        ) : (
          <button
            className="button"
            type="button"
            disabled={busy}
            aria-label={texts.endSession(address ?? texts.unknownAddress)}
            onClick={onEnd}
          >
            {texts.end}
          </button>
        )}
      </td>
    </tr>
  );
}
