import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Capture } from '../api/answers.js';
import { callHref } from '../call/call-address.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import { formatCount, formatNumber, visible } from '../parts/format.js';
import forms from '../parts/form.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import styles from './captures.module.css';
import { useCaptures, useRemoveCapture } from './use-captures.js';

const LISTED_CALLS = 10;

/** The captures of the last seven days, each with its calls. */
export function CaptureList(): ReactNode {
  return (
    <Section title="Captures" query={useCaptures()} about={(items) => formatCount(items.length, 'capture')}>
      {(items) =>
        items.length === 0 ? (
          <EmptyNote title="No captures in the last seven days." />
        ) : (
          <ul className={styles['list']}>
            {items.map((capture) => (
              <Item key={capture.id} capture={capture} />
            ))}
          </ul>
        )
      }
    </Section>
  );
}

function Item({ capture }: { readonly capture: Capture }): ReactNode {
  const remove = useRemoveCapture();
  const { id, frontEnd, state, receivedAt, unread } = capture;
  return (
    <li aria-label={`Capture of ${frontEnd}`}>
      <div className={forms['buttons']}>
        <strong>{frontEnd}</strong> <Time at={receivedAt} />
        <ConfirmButton
          label={state === 'reading' ? 'Stop' : 'Remove'}
          confirm={state === 'reading' ? 'Stop reading' : 'Remove (calls are kept)'}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(id)}
        />
        {remove.error !== null && <span role="alert">{remove.error.message}</span>}
      </div>
      <div role="status">
        <State capture={capture} />
      </div>
      {state === 'done' && <CallLinks capture={capture} />}
      <NotCounted capture={capture} />
      {unread.map(({ code, count, reason }) => (
        <p key={`${code} ${reason}`} className="muted">
          {count > 0 && `${formatCount(count, 'packet')}: `}
          {reason}
        </p>
      ))}
    </li>
  );
}

function State({ capture }: { readonly capture: Capture }): ReactNode {
  const { state, size, bytesRead, packets, records, calls, reason } = capture;
  if (state === 'failed') return <span className={forms['problem']}>Failed: {reason}</span>;
  const numbers = `${formatCount(packets, 'packet')}, ${formatCount(records, 'record')}`;
  if (state === 'done') return `Read: ${numbers}, ${formatCount(calls ?? 0, 'call')}`;
  return (
    <>
      {/* Compressed captures have more bytes than the file. */}
      <progress className={styles['bar']} aria-label="Read" value={Math.min(1, bytesRead / Math.max(1, size))} />{' '}
      Reading: {numbers}
    </>
  );
}

/** What a capture shows beside its calls: why quality is missing, and what failed outside of calls. */
function NotCounted({ capture }: { readonly capture: Capture }): ReactNode {
  const { uncountedReports, failedRequestsTotal, failedRequests } = capture;
  const reasons = Object.entries(uncountedReports);
  return (
    <>
      {reasons.length > 0 && (
        <p className="muted">
          Quality reports that count for no stream:{' '}
          {reasons.map(([reason, count]) => `${formatNumber(count)} ${reason}`).join(', ')}
        </p>
      )}
      {failedRequestsTotal > 0 && (
        <details>
          <summary>{formatCount(failedRequestsTotal, 'request')} outside of calls failed</summary>
          <ul className={styles['calls']}>
            {failedRequests.map(({ method, status, peer, count }) => (
              <li key={`${method} ${status} ${peer}`}>
                {formatNumber(count)} × {method} {status === 'none' ? 'without a response' : status}, {peer}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function CallLinks({
  capture: { frontEnd, calls, callIds, unreportedCalls },
}: {
  readonly capture: Capture;
}): ReactNode {
  const found = calls ?? 0;
  const listed = callIds.slice(0, LISTED_CALLS);
  return (
    <>
      {found > 0 && (
        <p>
          <Link href={`/calls?${new URLSearchParams({ last: 'all', frontEnd }).toString()}`}>
            All calls of {frontEnd}
          </Link>
          {found > listed.length && `; the first ${formatNumber(listed.length)} of this capture:`}
        </p>
      )}
      <ul className={styles['calls']}>
        {listed.map((callId) => (
          <li key={callId}>
            <Link href={callHref(callId)}>{visible(callId)}</Link>
          </li>
        ))}
      </ul>
      {unreportedCalls > 0 && (
        <p className="muted">
          {formatCount(unreportedCalls, 'call')} not shown: the version of the records cannot express them.
        </p>
      )}
    </>
  );
}
