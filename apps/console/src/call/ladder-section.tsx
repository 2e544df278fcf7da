import { useMemo, type CSSProperties, type ReactNode } from 'react';
import type { TimelineItem, TimelinePage } from '../api/answers.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import { ErrorNote, LoadingNote } from '../parts/notes.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time.js';
import styles from './ladder-section.module.css';
import { ladderOf, type Step } from './ladder.js';
import viewStyles from './call-view.module.css';

interface LadderSectionProps {
  readonly page: TimelinePage | undefined;
  readonly error: Error | null;
}

/** The events record by record: who sent what to whom, and the state of the call at that point. */
export function LadderSection({ page, error }: LadderSectionProps): ReactNode {
  const ladder = useMemo(() => ladderOf(page?.items ?? []), [page]);
  const lanes = Math.max(2, ladder.lanes.length);
  return (
    <section className={`card ${viewStyles['section']}`} aria-labelledby="ladder">
      <h2 id="ladder">What happened</h2>
      {page === undefined ? (
        error === null ? (
          <LoadingNote />
        ) : (
          <ErrorNote error={error} />
        )
      ) : (
        <ScrollRegion label="Ladder">
          <div className={styles['ladder']} style={variables({ '--lanes': String(lanes) })}>
            <div className={styles['names']}>
              {ladder.lanes.map((name) => (
                <span key={name}>{name}</span>
              ))}
            </div>
            <ol className={styles['items']}>
              {page.items.map((item, index) => (
                <Item key={item.recordId} item={item} steps={ladder.steps[index] ?? []} lanes={lanes} />
              ))}
            </ol>
          </div>
          {page.next !== null && <p className="muted">Only the first {page.items.length} records are drawn.</p>}
        </ScrollRegion>
      )}
    </section>
  );
}

interface ItemProps {
  readonly item: TimelineItem;
  readonly steps: readonly Step[];
  readonly lanes: number;
}

function Item({ item, steps, lanes }: ItemProps): ReactNode {
  return (
    <li className={styles['item']}>
      <div className={styles['when']}>
        <Time at={item.at} />
        <div className="muted">
          {item.frontEnds.join(', ')}
          {item.clock === 'collector' && ', time of receipt'}
          {item.late && ', late'}
        </div>
      </div>
      <div className={styles['lanes']}>
        {steps.length === 0 && <span className="muted">header only</span>}
        {steps.map((step) => (
          <Arrow key={step.key} step={step} lanes={lanes} />
        ))}
      </div>
      <div className={styles['after']}>
        {item.changed.includes('state') && <StateBadge state={item.after.state} />}
        {item.changed.includes('verdict') && <VerdictBadge verdict={item.after.verdict} />}
      </div>
    </li>
  );
}

/** From the middle of one lane to the middle of another. */
function Arrow({ step, lanes }: { readonly step: Step; readonly lanes: number }): ReactNode {
  const from = step.from ?? 0;
  const to = step.to ?? (step.from === undefined ? lanes - 1 : step.from === 0 ? 1 : 0);
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const place = {
    '--left': `${((left + 0.5) / lanes) * 100}%`,
    '--right': `${(1 - (right + 0.5) / lanes) * 100}%`,
  };
  const head = step.isArrow && step.to !== undefined ? (to > from ? styles['right'] : styles['left']) : undefined;
  const kind = ['error', 'ended', 'bye'].includes(step.kind) ? styles[step.kind] : undefined;
  return (
    <div className={[styles['arrow'], head, kind].filter(Boolean).join(' ')} style={variables(place)}>
      <span>{step.label}</span>
    </div>
  );
}

/** React's style type does not include custom properties. */
function variables(values: Readonly<Record<`--${string}`, string>>): CSSProperties {
  return { ...values };
}
