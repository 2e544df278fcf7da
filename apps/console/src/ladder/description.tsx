import { useMemo, type ReactNode } from 'react';
import { visible } from '../parts/format.js';
import styles from './row-details.module.css';
import { compareDescriptions, describedMedia } from './session-description.js';

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
    <section aria-label="Session description">
      <h4>Media</h4>
      <ul className={styles['media']}>
        {media.map(({ type, address, port, protocol, direction, codecs, candidates }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- media are known by their place
          <li key={index}>
            <b>{visible(type)}</b> {port === '0' ? 'rejected' : `${visible(address)}:${visible(port)}, ${direction}`},{' '}
            {visible(codecs.join(', '))} <span className="muted">{visible(protocol)}</span>
            {candidates > 0 && <span className="muted">, ICE candidates: {candidates}</span>}
          </li>
        ))}
      </ul>
      <h4>{titleOf(previous, changes)}</h4>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard */}
      <pre className={styles['lines']} tabIndex={0} aria-label="Lines of the session description">
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

function titleOf(previous: string | undefined, changes: number): string {
  if (previous === undefined) return 'Session description';
  return changes === 0 ? 'The same as the previous description' : 'Compared with the previous description';
}
