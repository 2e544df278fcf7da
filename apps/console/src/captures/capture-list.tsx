import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Capture } from '../api/answers.js';
import { callHref } from '../parts/call-address.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import { filled } from '../parts/filled.js';
import { formatNumber, visible } from '../parts/format.js';
import forms from '../parts/form.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import { texts } from '../texts/captures.js';
import { failureWords, reasonCounts, unreadWords } from './capture-words.js';
import styles from './captures.module.css';
import { useCaptures, useRemoveCapture } from './use-captures.js';

const LISTED_CALLS = 10;

/** The captures of the last seven days, each with its calls. */
export function CaptureList(): ReactNode {
  return (
    <Section title={texts.captures} query={useCaptures()} about={(items) => texts.captureCount(items.length)}>
      {(items) =>
        items.length === 0 ? (
          <EmptyNote title={texts.noCaptures} />
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
    <li aria-label={texts.captureOf(frontEnd)}>
      <div className={forms['buttons']}>
        <strong>{frontEnd}</strong> <Time at={receivedAt} />
        <ConfirmButton
          label={state === 'reading' ? texts.stop : texts.remove}
          confirm={state === 'reading' ? texts.confirmStop : texts.confirmRemove}
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
      {unreadWords(unread).map((words) => (
        <p key={words} className="muted">
          {words}
        </p>
      ))}
    </li>
  );
}

function State({ capture }: { readonly capture: Capture }): ReactNode {
  const { state, size, bytesRead, packets, records, calls } = capture;
  if (state === 'failed') return <span className={forms['problem']}>{texts.failed(failureWords(capture))}</span>;
  const numbers = [texts.packets(packets), texts.records(records)] as const;
  if (state === 'done') return texts.done(...numbers, texts.calls(calls ?? 0));
  return (
    <>
      {/* Compressed captures have more bytes than the file. */}
      <progress
        className={styles['bar']}
        aria-label={texts.read}
        value={Math.min(1, bytesRead / Math.max(1, size))}
      />{' '}
      {texts.reading(...numbers)}
    </>
  );
}

/** What a capture shows beside its calls: why quality is missing, and what failed outside of calls. */
function NotCounted({ capture }: { readonly capture: Capture }): ReactNode {
  const { unplacedMessages, uncountedReports, uncountedRtp, failedRequestsTotal, failedRequests, calls } = capture;
  const { succeededRegistrations } = capture;
  const [reports, rtp] = [reasonCounts(uncountedReports), reasonCounts(uncountedRtp)];
  const messages = reasonCounts(unplacedMessages);
  return (
    <>
      {messages !== '' && <p className="muted">{texts.unplacedMessages(messages)}</p>}
      {reports !== '' && <p className="muted">{texts.uncountedReports(reports)}</p>}
      {rtp !== '' && <p className="muted">{texts.uncountedRtp(rtp)}</p>}
      {succeededRegistrations > 0 && <p>{texts.succeededRegistrations(succeededRegistrations)}</p>}
      {failedRequestsTotal > 0 && (
        // All that a capture of registrations shows.
        <details open={calls === 0}>
          <summary>{texts.failedRequests(failedRequestsTotal)}</summary>
          <ul className={styles['calls']}>
            {failedRequests.map(({ method, status, peer, count }) => (
              <li key={`${method} ${status} ${peer}`}>
                {status === 'none'
                  ? texts.requestWithoutResponse(formatNumber(count), method, peer)
                  : texts.failedRequest(formatNumber(count), method, status, peer)}
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
  const allCalls = (
    <Link href={`/calls?${new URLSearchParams({ last: 'all', frontEnd }).toString()}`}>
      {texts.allCallsOf(frontEnd)}
    </Link>
  );
  return (
    <>
      {found > 0 && (
        <p>{found > listed.length ? filled(texts.firstOfCapture, allCalls, formatNumber(listed.length)) : allCalls}</p>
      )}
      <ul className={styles['calls']}>
        {listed.map((callId) => (
          <li key={callId}>
            <Link href={callHref(callId)}>{visible(callId)}</Link>
          </li>
        ))}
      </ul>
      {unreportedCalls > 0 && <p className="muted">{texts.notShown(unreportedCalls)}</p>}
    </>
  );
}
