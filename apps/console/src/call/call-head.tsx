import { Fragment, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call, CallCause } from '../api/answers.js';
import { CallVerdict, StateBadge } from '../parts/badges.js';
import { nameOf, formatDuration } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { saveFile } from '../parts/save-file.js';
import { Time } from '../parts/time.js';
import { searchHref } from './call-address.js';
import styles from './call-view.module.css';

const END_REASONS: Readonly<Record<NonNullable<Call['endReason']>, string>> = {
  ended: 'a record said so',
  error: 'an error',
  reported: 'final reports came, its end got lost',
  expired: 'nothing was heard of it for too long',
};

export function titleOf({ parties }: Pick<Call, 'parties'>): string {
  const [first = 'unknown', ...others] = parties.map(({ uri, ip }) => nameOf(uri) || (ip ?? 'unknown'));
  return `${first} → ${others.length === 0 ? 'unknown' : others.join(', ')}`;
}

/** The parties and times, the verdict and its reason. */
export function CallHead({ call }: { readonly call: Call }): ReactNode {
  return (
    <header className={`card ${styles['head']}`}>
      <div className={styles['title']}>
        <h1>{titleOf(call)}</h1>
        <CallVerdict verdict={call.verdict} coverage={call.coverage} />
        <StateBadge state={call.state} />
        <div className={styles['actions']}>
          <CopyLink />
          <Export call={call} />
        </div>
      </div>
      {call.cause !== null && (
        <p className={styles['why']} data-verdict={call.verdict}>
          {reasonOf(call.cause)}
        </p>
      )}
      <Facts call={call} />
    </header>
  );
}

function reasonOf({ mediaType, from, to, metric, value, threshold, thresholdFrom }: CallCause): string {
  const whose = thresholdFrom === 'sender' ? "the sender's limit" : 'the threshold';
  const what = `${metricName(metric)} of ${formatMetric(metric, value)}`;
  const where = `${mediaType ?? 'media'} from ${nameOf(from ?? 'unknown')} to ${nameOf(to ?? 'unknown')}`;
  return `${what} on the ${where}; ${whose} is ${formatMetric(metric, threshold)}.`;
}

function Facts({ call }: { readonly call: Call }): ReactNode {
  const { duration, endReason, conversationId, conferenceId, correlationId, clocks } = call;
  return (
    <dl className={styles['facts']}>
      <Fact name="Began">
        <Time at={call.beganAt} />
        {call.partial && <span className="muted"> or earlier: its beginning was missed</span>}
      </Fact>
      <Fact name="Ended">
        <Time at={call.endedAt} />
        {endReason !== null && <span className="muted"> ({END_REASONS[endReason]})</span>}
      </Fact>
      <Fact name="Lasted">{duration === null ? '–' : formatDuration(duration.seconds)}</Fact>
      <Fact name="Front ends">
        <Links field="frontEnd" values={call.frontEnds} />
      </Fact>
      {conversationId !== null && <Joined name="Conversation" field="conversationId" id={conversationId} />}
      {conferenceId !== null && <Joined name="Conference" field="conferenceId" id={conferenceId} />}
      {correlationId !== null && <Joined name="Mediation" field="correlationId" id={correlationId} />}
      <Fact name="CallId">
        <code>{call.callId}</code>
      </Fact>
      {call.lateRecords > 0 && <Fact name="Late records">{call.lateRecords}</Fact>}
      {clocks.map(({ clock, name, skewSeconds }) => (
        <Fact
          key={`${clock} ${name}`}
          name={`Clock of ${name ?? (clock === 'frontEnd' ? 'a front end' : 'an endpoint')}`}
        >
          {Math.abs(skewSeconds) < 1
            ? 'within a second'
            : `${formatDuration(Math.abs(skewSeconds))} ${skewSeconds < 0 ? 'ahead' : 'behind'}`}
        </Fact>
      ))}
    </dl>
  );
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
}

/** Each value links to the calls that share it. */
function Links({ field, values }: LinksProps): ReactNode {
  if (values.length === 0) return '–';
  return [...new Set(values)].map((value, index) => (
    <Fragment key={value}>
      {index > 0 && ', '}
      <Link href={searchHref(field, value)}>{value}</Link>
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
      <Link href={searchHref(field, id)}>{id}</Link>
    </Fact>
  );
}

function CopyLink(): ReactNode {
  const [label, setLabel] = useState('Copy link');
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      setLabel('Copied');
    } catch {
      // The browser may forbid it; the address is also in the address bar.
      setLabel('Not allowed by the browser');
    }
  }
  return (
    <button className="button" type="button" onClick={() => void copy()} aria-live="polite">
      {label}
    </button>
  );
}

function Export({ call }: { readonly call: Call }): ReactNode {
  function save(): void {
    const json = new Blob([JSON.stringify(call, null, 2)], { type: 'application/json' });
    saveFile(`call-${call.callId.replaceAll(/[^\w.-]/g, '_')}.json`, json);
  }
  return (
    <button className="button" type="button" onClick={save}>
      Export
    </button>
  );
}
