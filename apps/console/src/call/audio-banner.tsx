import type { ReactNode } from 'react';
import type { Call } from '../api/answers.js';
import { VerdictShape } from '../parts/badges.js';
import { shownSipAddress } from '../parts/format.js';
import styles from './end-banner.module.css';
import { texts } from '../texts/call.js';

/** That one side heard nothing, or both, and how that is known. */
export function AudioBanner({ call: { audio } }: { readonly call: Pick<Call, 'audio'> }): ReactNode {
  if (!audio) return null;
  const [speaker, listener] = [audio.from, audio.to].map((uri) => shownSipAddress(uri ?? undefined) || texts.unknown);
  return (
    <div className={styles['banner']} data-level="bad" role="note" aria-label={texts.noAudio}>
      <p className={styles['title']}>
        <VerdictShape verdict="bad" />
        <strong>
          {audio.heard === 'silent'
            ? texts.audio.silent
            : texts.audio.oneWay(listener ?? texts.unknown, speaker ?? texts.unknown)}
        </strong>
      </p>
      <p>{texts.audio.evidence[audio.evidence]}</p>
    </div>
  );
}
