import { useState, type ReactNode } from 'react';
import type { RejectedRecord } from '../api/answers.js';
import chips from '../parts/chip.module.css';
import { formatNumber } from '../parts/format.js';
import { filled } from '../parts/filled.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import { texts } from '../texts/feeds.js';
import styles from './feeds-view.module.css';
import type { Narrowed } from './feeds-query.js';
import { rejectedReasons } from './rejected-reasons.js';
import { useRejected } from './use-feeds.js';

/** The newest rejected bodies, by reason. */
export function RejectedList({ narrowed }: { readonly narrowed: Narrowed }): ReactNode {
  const [selected, select] = useState<RejectedRecord['code']>();
  const { isNarrowed } = narrowed;
  return (
    <Section title={texts.rejectedRecords} query={useRejected(narrowed)} about={rejectedListSummary}>
      {(items) =>
        items.length === 0 ? (
          <EmptyNote title={isNarrowed ? texts.noSuchRejected : texts.noRejected} />
        ) : (
          <>
            <Reasons items={items} selected={selected} onSelect={select} />
            <ul className={styles['rejected']}>
              {withKeys(items)
                .filter(([, { code }]) => selected === undefined || code === selected)
                .map(([key, item]) => (
                  <li key={key}>
                    <Rejected item={item} />
                  </li>
                ))}
            </ul>
          </>
        )
      }
    </Section>
  );
}

interface ReasonsProps {
  readonly items: readonly RejectedRecord[];
  readonly selected: RejectedRecord['code'] | undefined;
  readonly onSelect: (code: RejectedRecord['code'] | undefined) => void;
}

/** How often each reason occurs; a click lists only its records. */
function Reasons({ items, selected, onSelect }: ReasonsProps): ReactNode {
  return (
    <div className={styles['reasons']} role="group" aria-label={texts.reasons}>
      {rejectedReasons(items).map(({ code, count }) => (
        <button
          key={code}
          className={chips['chip']}
          type="button"
          aria-pressed={code === selected}
          onClick={() => onSelect(code === selected ? undefined : code)}
        >
          {code} {formatNumber(count)}
        </button>
      ))}
    </div>
  );
}

/** Bodies of the same millisecond differ only in their order; counted from the oldest, so that keys stay the same. */
function withKeys(items: readonly RejectedRecord[]): readonly (readonly [string, RejectedRecord])[] {
  const seen = new Map<string, number>();
  return items
    .toReversed()
    .map((item): readonly [string, RejectedRecord] => {
      const count = (seen.get(item.receivedAt) ?? 0) + 1;
      seen.set(item.receivedAt, count);
      return [`${item.receivedAt} ${count}`, item];
    })
    .toReversed();
}

function rejectedListSummary(items: readonly RejectedRecord[]): string {
  return items.length === 0 ? '' : texts.newest(formatNumber(items.length));
}

function Rejected({ item }: { readonly item: RejectedRecord }): ReactNode {
  const { receivedAt, remoteAddress, certificateSubject, path, code, reason, body } = item;
  return (
    <details className={styles['details']}>
      <summary>
        <span className={styles['when']}>
          <Time at={receivedAt} />
        </span>
        <code className={styles['code']}>{code}</code>
        <span>{reason}</span>
        <span className="muted">{texts.from([remoteAddress, certificateSubject].filter(Boolean).join(', '))}</span>
      </summary>
      <p className="muted">{filled(texts.postedTo, <code>{path}</code>)}</p>
      {body === null ? (
        <p className="muted">{texts.bodyHidden}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard as well
        <pre className={styles['body']} tabIndex={0}>
          {body === '' ? texts.emptyBody : body}
        </pre>
      )}
    </details>
  );
}
