import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { callHref } from '../parts/call-address.js';
import { CopyButton } from '../parts/copy-button.js';
import { visible } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import type { CallMessage, MessageAddress } from '../api/answers.js';
import type { LadderColumn } from './columns.js';
import { Description } from './description.js';
import { isOfOther, type LadderRow } from './ladder.js';
import styles from './row-details.module.css';
import { readSipMessage } from './sip-message.js';
import { texts } from '../texts/ladder.js';

interface RowDetailsProps {
  readonly row: LadderRow;
  /** Of the ladder. */
  readonly callId: string;
  readonly columns: readonly LadderColumn[];
  /** The earlier description of the same side. */
  readonly previous: string | undefined;
  readonly onClose: () => void;
}

/** Where the message is beside the list, as in the style sheet. */
const BESIDE = '(width > 1000px)';

/** The message or the event of one row. */
export function RowDetails({ row, callId, columns, previous, onClose }: RowDetailsProps): ReactNode {
  const { message, item, label } = row;
  const title = message !== undefined ? texts.message : item === undefined ? texts.fact : texts.record;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below the list it would be out of sight.
    if (!matchMedia(BESIDE).matches) place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={place} className={styles['details']} aria-label={title} data-level={row.level}>
      <header>
        <h3>{label}</h3>
        {message?.text && (
          <CopyButton key={row.key} text={() => message.text ?? ''}>
            {texts.copy}
          </CopyButton>
        )}
        <button type="button" className="button" onClick={onClose}>
          {texts.close}
        </button>
      </header>
      <dl>
        <dt>{texts.time}</dt>
        <dd>
          <Time at={row.at} />
        </dd>
        <dt>{texts.from}</dt>
        <dd>{message === undefined ? nameOfColumn(columns[row.from ?? -1]) : addressText(message.source)}</dd>
        <dt>{texts.to}</dt>
        <dd>{message === undefined ? nameOfColumn(columns[row.to ?? -1]) : addressText(message.destination)}</dd>
        <OtherCall row={row} callId={callId} />
        {message !== undefined && (
          <>
            <dt>{texts.capturedBy}</dt>
            <dd>{message.points.map(({ frontEnd, name }) => [frontEnd, name].filter(Boolean).join(' ')).join(', ')}</dd>
          </>
        )}
        {item !== undefined && (
          <>
            <dt>{texts.frontEnd}</dt>
            <dd>{item.frontEnds.join(', ') || texts.unknown}</dd>
            <dt>{texts.received}</dt>
            <dd>
              <Time at={item.receivedAt} />
              {item.clock === 'collector' && ` ${texts.withoutTime}`}
              {item.late && ` ${texts.afterEnd}`}
            </dd>
          </>
        )}
      </dl>
      {message !== undefined && <Content message={message} previous={previous} />}
    </section>
  );
}

/** The related call that a row is of. */
function OtherCall({ row, callId }: Pick<RowDetailsProps, 'row' | 'callId'>): ReactNode {
  if (row.callId === undefined || !isOfOther(row, callId)) return null;
  return (
    <>
      <dt>{texts.call}</dt>
      <dd>
        <Link href={callHref(row.callId)}>{row.callId}</Link>
      </dd>
    </>
  );
}

function Content({
  message,
  previous,
}: {
  readonly message: CallMessage;
  readonly previous: string | undefined;
}): ReactNode {
  if (message.text === null) {
    return <p className="muted">{texts.rtcpAdvice}</p>;
  }
  const { startLine, headers, body, hasDescription } = readSipMessage(message.text);
  return (
    <>
      <p className={styles['start']}>
        <code>{visible(startLine)}</code>
      </p>
      <dl className={styles['headers']}>
        {headers.map(({ name, value }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- headers may be repeated, and never change
          <div key={index}>
            <dt>{visible(name)}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
      {hasDescription && <Description description={body} previous={previous} />}
      {!hasDescription && body !== '' && <pre className={styles['body']}>{body}</pre>}
    </>
  );
}

function nameOfColumn(column: LadderColumn | undefined): string {
  return column === undefined ? texts.unknown : column.name || column.title;
}

function addressText({ ip, port }: MessageAddress): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
