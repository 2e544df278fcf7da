import type { PlayedFindings } from '@ringdown/call-capture';
import { counted } from '@ringdown/feed-client/command';

const SHOWN_FAILURES = 5;

/** What was found beside the records, for the summary as text. */
export function findingsText(found: Partial<PlayedFindings>): readonly string[] {
  const { unplacedMessages = {}, uncountedReports = {}, uncountedRtp = {}, unreportedCalls = 0 } = found;
  const { failedRequestsTotal = 0, failedRequests = [] } = found;
  const [reports, rtp] = [reasonsText(uncountedReports), reasonsText(uncountedRtp)];
  const sip = reasonsText(unplacedMessages);
  return [
    ...(sip === '' ? [] : [`SIP messages that fit no call: ${sip}`]),
    ...(reports === '' ? [] : [`quality reports that do not count: ${reports}`]),
    ...(rtp === '' ? [] : [`RTP packets that count for no call: ${rtp}`]),
    ...(failedRequestsTotal > 0
      ? [`${counted(failedRequestsTotal, 'request')} outside of calls failed (${mostOf(failedRequests)})`]
      : []),
    ...(unreportedCalls > 0
      ? [`${counted(unreportedCalls, 'call')} not reported (no answer or rejection; needs C or D)`]
      : []),
  ];
}

function reasonsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}

function mostOf(failures: PlayedFindings['failedRequests']): string {
  const shown = failures.slice(0, SHOWN_FAILURES).map(({ method, status, peer, count }) => {
    const what = status === 'none' ? 'without a response' : status;
    return `${count} ${method} ${what}, ${peer}`;
  });
  return [...shown, ...(failures.length > shown.length ? ['…'] : [])].join('; ');
}
