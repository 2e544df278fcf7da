import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { formatDuration, formatSeconds, nameOf, visible } from '../parts/format.js';
import { Time } from '../parts/time.js';
import { useServerTime } from '../parts/use-server-time.js';
import { searchHref } from './call-address.js';
import { causesOf } from './call-ending.js';
import styles from './call-view.module.css';

/** When it was, how long it took, and what it belongs to. */
export function CallFacts({ call }: { readonly call: Call }): ReactNode {
  const { conversationId, conferenceId, correlationId, postDialSeconds, ringSeconds, setupSeconds } = call;
  return (
    <dl className={styles['facts']}>
      <Fact name="Started">
        <Time at={call.beganAt} />
        {call.partial && <span className="muted"> or earlier (the start was not recorded)</span>}
      </Fact>
      <Fact name="Ended">
        <Time at={call.endedAt} />
        <span className="muted">{endWords(call)}</span>
      </Fact>
      <Fact name="Duration">
        <Lasted call={call} />
      </Fact>
      {postDialSeconds !== null && <Fact name="Post-dial delay">{formatSeconds(postDialSeconds)}</Fact>}
      {ringSeconds !== null && <Fact name="Ring time">{formatSeconds(ringSeconds)}</Fact>}
      {setupSeconds !== null && <Fact name="Setup time">{formatSeconds(setupSeconds)}</Fact>}
      <Fact name="Front ends">
        <Links field="frontEnd" values={call.frontEnds} />
      </Fact>
      {call.pools.length > 0 && (
        <Fact name="Pools">
          <Links field="pool" values={call.pools} />
        </Fact>
      )}
      {conversationId !== null && <Joined name="Conversation" field="conversationId" id={conversationId} />}
      {conferenceId !== null && <Joined name="Conference" field="conferenceId" id={conferenceId} />}
      {correlationId !== null && <Joined name="Mediation" field="correlationId" id={correlationId} />}
      <Transfer call={call} />
      <EndDiagnostics call={call} />
      <Fact name="Call-ID">
        <code>{call.callId}</code>
      </Fact>
      {call.lateRecords > 0 && <Fact name="Late records">{call.lateRecords}</Fact>}
      <Clocks call={call} />
    </dl>
  );
}

function endWords({ end, endReason }: Call): string {
  if (endReason === null) return '';
  const by = end?.by ? ` by the ${end.by}` : '';
  switch (endReason) {
    case 'error':
      return ` by an error${by === '' ? '' : `,${by}`}`;
    case 'reported':
      return ' (final reports arrived, but no end)';
    case 'expired':
      return ' (assumed: no end was reported)';
    default:
      return by;
  }
}

/** Counts while the call runs, by the clock of the server. */
function Lasted({ call: { state, beganAt, duration } }: { readonly call: Call }): ReactNode {
  const isRunning = isInProgress(state);
  const now = useServerTime(isRunning);
  if (isRunning) {
    const seconds = (now - Date.parse(beganAt)) / 1000;
    return (
      <>
        <span role="timer">{formatDuration(seconds)}</span>
        <span className="muted"> so far</span>
      </>
    );
  }
  return duration === null ? '–' : formatDuration(duration.seconds);
}

/** Where the call went, and where it came from. */
function Transfer({ call: { details } }: { readonly call: Call }): ReactNode {
  const { transferredTo, transferredBy, referredBy = [], redirects = [] } = details;
  return (
    <>
      {transferredTo !== undefined && (
        <Fact name="Transferred to">
          <Links field="user" values={[transferredTo]} shown={nameOf} />
          {transferredBy !== undefined && <span className="muted"> by the {transferredBy}</span>}
        </Fact>
      )}
      {referredBy.length > 0 && <Fact name="Transferred by">{referredBy.map(visible).join(', ')}</Fact>}
      {redirects.length > 0 && (
        <Fact name="Redirected">
          {redirects.map(({ from, to, code }) => (
            <div key={`${from} ${to} ${code}`}>
              {nameOf(from ?? undefined) || 'unknown'} → {nameOf(to ?? undefined) || 'unknown'}
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
  const causes = end === null || end.reason === 'error' ? [] : causesOf(end.diagnostics);
  if (causes.length === 0) return null;
  return (
    <Fact name="End diagnostics">
      {causes.map(({ text }) => (
        <div key={text}>{text}</div>
      ))}
    </Fact>
  );
}

function Clocks({ call: { clocks } }: { readonly call: Call }): ReactNode {
  return clocks.map(({ clock, name, skewSeconds }) => (
    <Fact
      key={`${clock} ${name}`}
      name={`Clock offset of ${name ?? (clock === 'frontEnd' ? 'a front end' : 'an endpoint')}`}
    >
      {Math.abs(skewSeconds) < 1
        ? 'within a second'
        : `${formatDuration(Math.abs(skewSeconds))} ${skewSeconds < 0 ? 'ahead' : 'behind'}`}
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
