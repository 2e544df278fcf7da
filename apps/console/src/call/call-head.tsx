import type { ReactNode } from 'react';
import type { Call, CallCause } from '../api/answers.js';
import { CallVerdict, StateBadge } from '../parts/badges.js';
import { CopyButton } from '../parts/copy-button.js';
import { nameOf } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { saveFile } from '../parts/save-file.js';
import { CallFacts } from './call-facts.js';
import { titleOf } from './call-title.js';
import styles from './call-view.module.css';
import { EndBanner } from './end-banner.js';
import { ListLinks } from './list-links.js';

interface CallHeadProps {
  readonly call: Call;
  /** The page of results from which the call was opened. */
  readonly list: string | null;
}

/** Who called whom, what was wrong, and when. */
export function CallHead({ call, list }: CallHeadProps): ReactNode {
  return (
    <header className={`card ${styles['head']}`}>
      <div className={styles['title']}>
        <h1>{titleOf(call)}</h1>
        <CallVerdict verdict={call.verdict} coverage={call.coverage} />
        <StateBadge state={call.state} />
        <div className={styles['actions']}>
          {list !== null && <ListLinks callId={call.callId} list={list} />}
          <CopyButton text={() => location.origin + location.pathname}>Copy link</CopyButton>
          <Export call={call} />
        </div>
      </div>
      <EndBanner call={call} />
      {call.cause !== null && (
        <p className={styles['why']} data-verdict={call.verdict}>
          {reasonOf(call.cause)}
        </p>
      )}
      <CallFacts call={call} />
    </header>
  );
}

function reasonOf({ mediaType, from, to, metric, value, threshold, thresholdFrom, profile }: CallCause): string {
  const own = profile === undefined ? 'the threshold' : `the threshold for records of ${profile}`;
  const whose = thresholdFrom === 'sender' ? "the sender's limit" : own;
  const what = `${metricName(metric)} of ${formatMetric(metric, value)}`;
  const where = `${mediaType ?? 'media'} from ${nameOf(from ?? 'unknown')} to ${nameOf(to ?? 'unknown')}`;
  return `${what} on the ${where}; ${whose} is ${formatMetric(metric, threshold)}.`;
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
