import { useMemo, type ReactNode } from 'react';
import { formatNumber, visible } from '../parts/format.js';
import styles from './row-details.module.css';
import { compareDescriptions, describedMedia } from './session-description.js';
import { texts } from '../texts/ladder.js';

interface DescriptionProps {
  readonly description: string;
  /** The earlier description of the same side. */
  readonly previous: string | undefined;
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

/** A session description: what it offers in words, and its lines, with the changes since the earlier one. */
export function Description({ description, previous }: DescriptionProps): ReactNode {
  const media = useMemo(() => describedMedia(description), [description]);
  const lines = useMemo(() => compareDescriptions(previous ?? description, description), [previous, description]);
  const changes = lines.filter(({ kind }) => kind !== 'same').length;
  return (
    <section aria-label={texts.description}>
      <h4>{texts.media}</h4>
      <ul className={styles['media']}>
        {media.map(({ type, address, port, protocol, direction, codecs, candidates }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- media are known by their place
          <li key={index}>
            <b>{visible(type)}</b>{' '}
            {port === '0' ? texts.rejected : `${visible(address)}:${visible(port)}, ${direction}`},{' '}
            {visible(codecs.join(', '))} <span className="muted">{visible(protocol)}</span>
            {candidates > 0 && <span className="muted">, {texts.candidates(formatNumber(candidates))}</span>}
          </li>
        ))}
      </ul>
      <h4>{descriptionTitle(previous, changes)}</h4>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard */}
      <pre className={styles['lines']} tabIndex={0} aria-label={texts.lines}>
        {lines.map(({ kind, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and never change
          <div key={index} data-change={kind}>
            {SIGNS[kind]} {visible(text)}
          </div>
        ))}
      </pre>
    </section>
  );
}

function descriptionTitle(previous: string | undefined, changes: number): string {
  if (previous === undefined) return texts.description;
  return changes === 0 ? texts.same : texts.compared;
}
