import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { LinkedCall, TimelinePage } from '../api/answers.js';
import chipStyles from '../parts/chip.module.css';
import { filled } from '../parts/filled.js';
import { formatNumber } from '../parts/format.js';
import { ErrorNote, LoadingNote } from '../parts/notes.js';
import { Downloads } from './downloads.js';
import { LadderList } from './ladder-list.js';
import styles from './ladder-section.module.css';
import { firstFailure, callLadder, type LadderCall, type LadderRow, type RowKind } from './ladder.js';
import { RowDetails } from './row-details.js';
import { useMessages, type KnownMessages } from './use-messages.js';
import { MOST_RELATED, useRelatedRecords } from './use-related-records.js';
import { texts } from '../texts/ladder.js';

interface LadderSectionProps {
  readonly callId: string;
  /** Whether the call may still change. */
  readonly isOpen: boolean;
  /** Other calls that belong to this one. */
  readonly linked: readonly LinkedCall[];
  readonly page: TimelinePage | undefined;
  readonly error: Error | null;
  readonly call: LadderCall;
}

const KINDS: readonly RowKind[] = ['request', 'response', 'rtcp', 'event', 'report'];
const NONE: readonly never[] = [];

/** Who sent what to whom, and when: captured messages and records on one time axis. */
export function LadderSection({ callId, isOpen, linked, page, error, call }: LadderSectionProps): ReactNode {
  const hasLegs = linked.length > 0;
  // A conference may have hundreds of legs, among which its own messages would be lost.
  const [withLegs, setWithLegs] = useState(() => !linked.some(({ by }) => by.includes('conference')));
  const legs = hasLegs && withLegs ? 'all' : undefined;
  const messages = useMessages({ callId, legs, isOpen });
  const { items = NONE } = messages;
  const related = useRelatedRecords(linked, withLegs);
  const ladder = useMemo(
    () => callLadder({ callId, messages: items, items: page?.items ?? NONE, related: related.items, call }),
    [callId, items, page, related.items, call],
  );
  const [hidden, setHidden] = useState<ReadonlySet<RowKind>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const [isDetailed, setDetailed] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  function close(): void {
    setDetailed(false);
    list.current?.focus();
  }
  const rows = useMemo(() => ladder.rows.filter(({ kind }) => !hidden.has(kind)), [ladder, hidden]);
  const at = rows.findIndex(({ key }) => key === chosen);
  const active = at === -1 ? Math.max(0, firstFailure(rows, callId)) : at;
  const row = rows[active];
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="ladder">
      <header className={styles['tools']}>
        <h2 id="ladder">{texts.callFlow}</h2>
        <KindChips rows={ladder.rows} hidden={hidden} onHidden={setHidden}>
          {hasLegs && (
            <button
              type="button"
              className={chipStyles['chip']}
              aria-pressed={withLegs}
              onClick={() => setWithLegs(!withLegs)}
            >
              {texts.relatedCalls}
            </button>
          )}
        </KindChips>
        {items.length > 0 && <Downloads callId={callId} legs={legs} />}
      </header>
      {page === undefined && (error === null ? <LoadingNote /> : <ErrorNote error={error} />)}
      {rows.length > 0 && (
        <div className={styles['body']} data-detailed={isDetailed}>
          <LadderList
            list={list}
            columns={ladder.columns}
            rows={rows}
            callId={callId}
            active={active}
            began={ladder.rows[0]?.at ?? 0}
            onActive={(index) => setChosen(rows[index]?.key)}
            onDetails={setDetailed}
          />
          {isDetailed && row !== undefined && (
            <RowDetails
              key={row.key}
              row={row}
              callId={callId}
              columns={ladder.columns}
              previous={ladder.previousDescriptions.get(row.key)}
              onClose={close}
            />
          )}
        </div>
      )}
      <Notes messages={messages} page={page}>
        {withLegs && <RelatedNotes problem={related.problem} isCut={linked.length > MOST_RELATED} />}
      </Notes>
    </section>
  );
}

interface KindChipsProps {
  readonly rows: readonly LadderRow[];
  readonly hidden: ReadonlySet<RowKind>;
  readonly onHidden: (hidden: ReadonlySet<RowKind>) => void;
  /** More chips. */
  readonly children: ReactNode;
}

/** Shows and hides the rows of each kind that there is. */
function KindChips({ rows, hidden, onHidden, children }: KindChipsProps): ReactNode {
  const counts = useMemo(() => Map.groupBy(rows, ({ kind }) => kind), [rows]);
  return (
    <div className={styles['chips']} role="group" aria-label={texts.shown}>
      {KINDS.filter((kind) => counts.has(kind)).map((kind) => (
        <button
          key={kind}
          type="button"
          className={chipStyles['chip']}
          aria-pressed={!hidden.has(kind)}
          onClick={() => onHidden(hidden.symmetricDifference(new Set([kind])))}
        >
          {texts.kinds[kind]} <b>{formatNumber(counts.get(kind)?.length ?? 0)}</b>
        </button>
      ))}
      {children}
    </div>
  );
}

interface RelatedNotesProps {
  readonly problem: string | undefined;
  /** Whether there are more related calls than are asked for. */
  readonly isCut: boolean;
}

function RelatedNotes({ problem, isCut }: RelatedNotesProps): ReactNode {
  return (
    <>
      {problem !== undefined && <p role="status">{texts.relatedNotLoaded(problem)}</p>}
      {isCut && <p className="muted">{texts.firstRelated(MOST_RELATED)}</p>}
    </>
  );
}

interface NotesProps {
  readonly messages: KnownMessages;
  readonly page: TimelinePage | undefined;
  /** More notes. */
  readonly children: ReactNode;
}

/** What is missing, and what to do about it. */
function Notes({ messages, page, children }: NotesProps): ReactNode {
  const { items, isTruncated, problem, isInterrupted, retry } = messages;
  return (
    <div className={styles['notes']}>
      {problem !== undefined && (
        <p role="status">
          {texts.notLoaded(problem)}{' '}
          <button type="button" className="button" onClick={retry}>
            {texts.tryAgain}
          </button>
        </p>
      )}
      {isInterrupted && problem === undefined && <p role="status">{texts.interrupted}</p>}
      {items?.length === 0 && problem === undefined && (
        <p className="muted">{filled(texts.noMessages, <code>TRACE=on</code>, <code>TRACE_DAYS</code>)}</p>
      )}
      {isTruncated && <p className="muted">{texts.firstMessages(items?.length ?? 0)}</p>}
      {page !== undefined && page.next !== null && <p className="muted">{texts.firstRecords(page.items.length)}</p>}
      {children}
      <p className={`muted ${styles['keys']}`}>
        {filled(texts.keys, <kbd>j</kbd>, <kbd>k</kbd>, <kbd>Enter</kbd>, <kbd>Esc</kbd>)}
      </p>
    </div>
  );
}
