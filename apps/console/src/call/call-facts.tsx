import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { filled } from '../parts/filled.js';
import { formatDuration, formatNumber, formatSeconds, formatSpan, shownSipAddress, visible } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import { useServerTime } from '../parts/time/use-server-time.js';
import { searchHref } from '../parts/call-address.js';
import { reportedCauses } from './call-ending.js';
import styles from './call-view.module.css';
import { texts } from '../texts/call.js';

/** When it was, how long it took, and what it belongs to. */
export function CallFacts({ call }: { readonly call: Call }): ReactNode {
  const { conversationId, conferenceId, correlationId, postDialSeconds, ringSeconds, setupSeconds } = call;
  return (
    <dl className={styles['facts']}>
      <Fact name={texts.started}>
        <Time at={call.beganAt} />
        {call.partial && <span className="muted"> {texts.orEarlier}</span>}
      </Fact>
      <Fact name={texts.ended}>
        <Time at={call.endedAt} />
        <span className="muted"> {endWords(call)}</span>
      </Fact>
      <Fact name={texts.duration}>
        <Lasted call={call} />
      </Fact>
      {postDialSeconds !== null && <Fact name={texts.postDialDelay}>{formatSeconds(postDialSeconds)}</Fact>}
      {ringSeconds !== null && <Fact name={texts.ringTime}>{formatSeconds(ringSeconds)}</Fact>}
      {setupSeconds !== null && <Fact name={texts.setupTime}>{formatSeconds(setupSeconds)}</Fact>}
      <Fact name={texts.frontEnds}>
        <Links field="frontEnd" values={call.frontEnds} />
      </Fact>
      {call.pools.length > 0 && (
        <Fact name={texts.pools}>
          <Links field="pool" values={call.pools} />
        </Fact>
      )}
      {conversationId !== null && <Joined name={texts.conversation} field="conversationId" id={conversationId} />}
      {conferenceId !== null && <Joined name={texts.conference} field="conferenceId" id={conferenceId} />}
      {correlationId !== null && <Joined name={texts.mediation} field="correlationId" id={correlationId} />}
      <Transfer call={call} />
      <EndDiagnostics call={call} />
      <Fact name={texts.callId}>
        <code>{call.callId}</code>
      </Fact>
      {call.lateRecords > 0 && <Fact name={texts.lateRecords}>{formatNumber(call.lateRecords)}</Fact>}
      <Clocks call={call} />
    </dl>
  );
}

function endWords({ end, endReason }: Call): string {
  if (endReason === null) return '';
  const by = end?.by ?? undefined;
  switch (endReason) {
    case 'error':
      return by === undefined ? texts.byError : texts.byErrorOfParty[by];
    case 'reported':
      return texts.reportedEnd;
    case 'expired':
      return texts.assumedEnd;
    default:
      return by === undefined ? '' : texts.byParty[by];
  }
}

/** Counts while the call runs, by the clock of the server. */
function Lasted({ call: { state, beganAt, duration } }: { readonly call: Call }): ReactNode {
  const isRunning = isInProgress(state);
  const now = useServerTime(isRunning);
  if (isRunning) {
    const seconds = (now - Date.parse(beganAt)) / 1000;
    return <span className="muted">{filled(texts.soFar, <Timer seconds={seconds} />)}</span>;
  }
  return duration === null ? '–' : formatDuration(duration.seconds);
}

/** In the colour of the other values, between muted words. */
function Timer({ seconds }: { readonly seconds: number }): ReactNode {
  return (
    <span role="timer" className={styles['timer']}>
      {formatDuration(seconds)}
    </span>
  );
}

/** Where the call went, and where it came from. */
function Transfer({ call: { details } }: { readonly call: Call }): ReactNode {
  const { transferredTo, transferredBy, referredBy = [], redirects = [] } = details;
  return (
    <>
      {transferredTo !== undefined && (
        <Fact name={texts.transferredTo}>
          <Links field="user" values={[transferredTo]} shown={shownSipAddress} />
          {transferredBy !== undefined && <span className="muted"> {texts.byParty[transferredBy]}</span>}
        </Fact>
      )}
      {referredBy.length > 0 && <Fact name={texts.transferredBy}>{referredBy.map(visible).join(', ')}</Fact>}
      {redirects.length > 0 && (
        <Fact name={texts.redirected}>
          {redirects.map(({ from, to, code }) => (
            <div key={`${from} ${to} ${code}`}>
              {shownSipAddress(from ?? undefined) || texts.unknown} →{' '}
              {shownSipAddress(to ?? undefined) || texts.unknown}
              {code !== null && <span className="muted"> ({code})</span>}
            </div>
          ))}
        </Fact>
      )}
    </>
  );
}

/** Of a call that ended as it should; those of an error are in the banner. */
function EndDiagnostics({ call: { end } }: { readonly call: Call }): ReactNode {
  const causes = end === null || end.reason === 'error' ? [] : reportedCauses(end.diagnostics);
  if (causes.length === 0) return null;
  return (
    <Fact name={texts.endDiagnostics}>
      {causes.map(({ text }) => (
        <div key={text}>{text}</div>
      ))}
    </Fact>
  );
}

function Clocks({ call: { clocks } }: { readonly call: Call }): ReactNode {
  return clocks.map(({ clock, name, skewSeconds }) => (
    <Fact key={`${clock} ${name}`} name={name === null ? texts.clockOfUnnamed[clock] : texts.clockOf(name)}>
      {Math.abs(skewSeconds) < 1
        ? texts.withinSecond
        : (skewSeconds < 0 ? texts.ahead : texts.behind)(formatSpan(Math.abs(skewSeconds)))}
    </Fact>
  ));
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface LinksProps {
  readonly field: string;
  readonly values: readonly string[];
  readonly shown?: (value: string) => string;
}

/** Each value links to the calls that share it. */
function Links({ field, values, shown = visible }: LinksProps): ReactNode {
  if (values.length === 0) return '–';
  return [...new Set(values)].map((value, index) => (
    <Fragment key={value}>
      {index > 0 && ', '}
      <Link href={searchHref(field, value)}>{shown(value)}</Link>
    </Fragment>
  ));
}

interface JoinedProps {
  readonly name: string;
  readonly field: string;
  readonly id: string;
}

function Joined({ name, field, id }: JoinedProps): ReactNode {
  return (
    <Fact name={name}>
      <Links field={field} values={[id]} />
    </Fact>
  );
}
