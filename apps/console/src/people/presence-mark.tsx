import type { ReactNode } from 'react';
import type { Availability, Presence } from '../web-interface/index.js';
import styles from './people.module.css';
import { presenceWords } from './display-words.js';

/** Distinguished by shape as well as by colour. */
const SHAPES: Readonly<Record<Availability, ReactNode>> = {
  Online: <circle cx="6" cy="6" r="5" />,
  IdleOnline: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />,
  Busy: <rect x="1.5" y="1.5" width="9" height="9" rx="1.5" />,
  IdleBusy: <rect x="2" y="2" width="8" height="8" rx="1.5" fill="none" stroke="currentColor" strokeWidth="2" />,
  DoNotDisturb: <path d="M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zM3 5h6v2H3z" fillRule="evenodd" />,
  BeRightBack: <path d="M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zm-1 2h2v2.6l1.8 1.1-1 1.6L5 6.7z" fillRule="evenodd" />,
  Away: <path d="M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zm-1 2h2v2.6l1.8 1.1-1 1.6L5 6.7z" fillRule="evenodd" />,
  Offline: <path d="M2 2l8 8M10 2l-8 8" fill="none" stroke="currentColor" strokeWidth="1.8" />,
};
const COLOURS: Readonly<Record<Availability, string>> = {
  Online: 'free',
  IdleOnline: 'free',
  Busy: 'busy',
  IdleBusy: 'busy',
  DoNotDisturb: 'busy',
  BeRightBack: 'away',
  Away: 'away',
  Offline: 'gone',
};

export interface PresenceMarkProps {
  readonly presence: Presence | undefined;
  /** By default the words are only for screen readers; `beside`: they are shown next to it anyway. */
  readonly visibility?: 'shown' | 'unseen' | 'beside';
}

export function PresenceMark({ presence, visibility = 'unseen' }: PresenceMarkProps): ReactNode {
  const { availability = 'Offline' } = presence ?? {}; // not shown: a value of the API
  const text = presenceWords(presence);
  return (
    <span
      className={`${styles['presence']} ${styles[COLOURS[availability]]}`}
      title={visibility === 'shown' ? undefined : text}
    >
      <svg width="12" height="12" viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
        {SHAPES[availability]}
      </svg>
      {visibility !== 'beside' && <span className={visibility === 'shown' ? styles['words'] : 'unseen'}>{text}</span>}
    </span>
  );
}
