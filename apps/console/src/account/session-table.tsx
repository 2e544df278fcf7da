import type { ReactNode } from 'react';
import { Section } from '../parts/section.js';
import { SessionList } from './session-list.js';
import { useEndSessions, useOwnSessions } from './use-account.js';
import { texts } from '../texts/account.js';

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
      {texts.endOthers}
    </button>
  );
  return (
    <Section title={texts.sessions} query={query} tools={endOthers}>
      {(sessions) => (
        <SessionList sessions={sessions} busy={end.isPending} error={end.error} onEnd={(id) => end.mutate(id)} />
      )}
    </Section>
  );
}
