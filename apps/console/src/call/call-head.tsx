import type { ReactNode } from 'react';
import type { Call, CallCause } from '../api/answers.js';
import { CallVerdict, StateBadge } from '../parts/badges.js';
import { CopyButton } from '../parts/copy-button.js';
import { shownSipAddress } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { saveFile } from '../parts/save-file.js';
import { CallFacts } from './call-facts.js';
import { callTitle } from './call-title.js';
import styles from './call-view.module.css';
import { AudioBanner } from './audio-banner.js';
import { EndBanner } from './end-banner.js';
import { ListLinks } from './list-links.js';
import { texts } from '../texts/call.js';

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
        <h1>{callTitle(call)}</h1>
        <CallVerdict verdict={call.verdict} coverage={call.coverage} />
        <StateBadge state={call.state} />
        <div className={styles['actions']}>
          {list !== null && <ListLinks callId={call.callId} list={list} />}
          <CopyButton text={() => location.origin + location.pathname}>{texts.copyLink}</CopyButton>
          <Export call={call} />
        </div>
      </div>
      <EndBanner call={call} />
      <AudioBanner call={call} />
      {call.cause !== null && (
        <p className={styles['why']} data-verdict={call.verdict}>
          {causeReason(call.cause)}
        </p>
      )}
      <CallFacts call={call} />
    </header>
  );
}

function causeReason({ mediaType, from, to, metric, value, threshold, thresholdFrom, profile }: CallCause): string {
  const words = {
    metric: metricName(metric),
    value: formatMetric(metric, value),
    medium: mediaType ?? texts.anyMedia,
    from: shownSipAddress(from ?? texts.unknown),
    to: shownSipAddress(to ?? texts.unknown),
  };
  const side = value < threshold ? 'below' : 'above';
  const limit = formatMetric(metric, threshold);
  const { measured, sender, profile: ofProfile, threshold: ofMetric } = texts.causes;
  if (thresholdFrom === 'sender') return measured(words, sender[side](limit));
  return measured(words, profile === undefined ? ofMetric[side](limit) : ofProfile[side](limit, profile));
}

function Export({ call }: { readonly call: Call }): ReactNode {
  function save(): void {
    const json = new Blob([JSON.stringify(call, null, 2)], { type: 'application/json' });
    saveFile(`call-${call.callId.replaceAll(/[^\w.-]/g, '_')}.json`, json);
  }
  return (
    <button className="button" type="button" onClick={save}>
      {texts.export}
    </button>
  );
}
