import type { ReactNode } from 'react';
import { useSignedIn } from '../services/services.js';
import { AlertBanner } from './alert-banner.js';
import { MessageNotices } from './message-notices.js';
import { useLeadingTab } from './use-leading-tab.js';
import { useSharedCount } from './use-shared-count.js';

export interface NoticesProps {
  /** Called with the number of unread messages and open invitations. */
  readonly onCount: (count: number) => void;
}

/** What is shown in every view. */
export function Notices({ onCount }: NoticesProps): ReactNode {
  const { roles, username } = useSignedIn();
  const hasMessages = useLeadingTab('ringdown messages'); // not shown: the name of a lock
  const share = useSharedCount(`ringdown unread ${username}`, hasMessages, onCount); // not shown: the name of a channel
  return (
    <>
      {roles.includes('operator') && <AlertBanner />}
      {hasMessages && <MessageNotices onCount={share} />}
    </>
  );
}
