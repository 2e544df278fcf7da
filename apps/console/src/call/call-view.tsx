import { useEffect, type ReactNode } from 'react';
import { useParams, useSearch } from 'wouter';
import type { CallWithRecords, MetricSeries, TimelineItem } from '../api/answers.js';
import { LadderSection } from '../ladder/ladder-section.js';
import { LoadingNote } from '../parts/notes.js';
import { UnreadPage } from '../parts/unread-page.js';
import { callIdInAddress, callListInAddress } from '../parts/call-address.js';
import { callEnding } from './call-ending.js';
import { CallHead } from './call-head.js';
import { callTabTitle } from './call-title.js';
import styles from './call-view.module.css';
import { ErrorsSection } from './errors-section.js';
import { GraphSection } from './graph/graph-section.js';
import { LinkedSection } from './linked-section.js';
import { PartiesSection } from './parties-section.js';
import { QualitySection } from './quality-section.js';
import { RecordsSection } from './records/records-section.js';
import { StreamsSection } from './streams-section.js';
import { mayChange, useCall } from './use-call.js';
import { hasTrouble } from '../surroundings/surroundings.js';
import { SurroundingsSection } from '../surroundings/surroundings-section.js';
import { texts } from '../texts/call.js';

/** Everything known about one call, and why it was bad. */
export function CallView(): ReactNode {
  useParams();
  useSearch();
  const { call, timeline, metrics } = useCall(callIdInAddress(location.pathname));
  const { data, error, refetch } = call;
  useEffect(() => {
    if (data === undefined) return undefined;
    document.title = callTabTitle(data);
    return () => void (document.title = 'Ringdown');
  }, [data]);
  if (data === undefined) {
    if (error === null) return <LoadingNote />;
    return (
      <UnreadPage error={error} retry={() => void refetch()}>
        {texts.notFoundReason}
      </UnreadPage>
    );
  }
  return (
    <article className={styles['view']}>
      <CallHead call={data} list={callListInAddress(location.search)} />
      {error !== null && <p className={styles['stale']}>{texts.mayBeOutOfDate(error.message)}</p>}
      {isToldApart(data) && <ErrorsSection errors={data.errors} end={data.end} />}
      <Measured call={data} series={metrics.data?.items} items={timeline.data?.items} />
      {hasTrouble(data) && <SurroundingsSection call={data} />}
      <PartiesSection call={data} />
      <StreamsSection streams={data.streams} />
      <LadderSection
        key={data.callId}
        callId={data.callId}
        isOpen={mayChange(data)}
        linked={data.linked}
        page={timeline.data}
        error={timeline.error}
        call={data}
      />
      {data.linked.length > 0 && <LinkedSection linked={data.linked} />}
      <RecordsSection records={data.records} leftOut={data.recordsLeftOut} />
    </article>
  );
}

interface MeasuredProps {
  readonly call: CallWithRecords;
  readonly series: readonly MetricSeries[] | undefined;
  readonly items: readonly TimelineItem[] | undefined;
}

const NOTHING: readonly never[] = [];

/** A call that failed has no reports to wait for. */
function Measured({ call, series = NOTHING, items = NOTHING }: MeasuredProps): ReactNode {
  if (call.state === 'failed' && call.quality.length === 0) return null;
  return (
    <>
      <QualitySection call={call} />
      <GraphSection call={call} series={series} items={items} />
    </>
  );
}

/** The only error of a failed call is in the banner. */
function isToldApart(call: CallWithRecords): boolean {
  return call.errors.length > (callEnding(call)?.level === 'bad' ? 1 : 0);
}
