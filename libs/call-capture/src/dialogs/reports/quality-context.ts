import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { ConnectionInfo } from '@ringdown/xml-schemas/record';
import type { CallQuality } from '../../quality/call-quality.js';
import type { Call } from '../call.js';
import { timeText } from './time-text.js';

/** The reporter, and the period of the report: by the clock of the phone if it is in the report, else by that of the sender. */
export function qualityContext(call: Call, quality: CallQuality): Partial<ConnectionInfo> {
  const { startTime, endTime } = quality.reportedTimes;
  const { answeredAt, endedAt } = timesInOrder(call.times);
  const isReported = startTime !== undefined || endTime !== undefined;
  const reporter = quality.reporter && call.parties[quality.reporter];
  return withoutAbsent({
    originator: reporter?.epId ?? reporter?.id,
    startTime: isReported || answeredAt === undefined ? startTime : timeText(answeredAt),
    endTime: isReported || endedAt === undefined ? endTime : timeText(endedAt),
  });
}

/** How long the call lasted, milliseconds, if its answer and its end were captured. */
export function callDuration(call: Call): number | undefined {
  const { answeredAt, endedAt } = timesInOrder(call.times);
  return answeredAt === undefined || endedAt === undefined ? undefined : endedAt - answeredAt;
}

/** If the clock of the capture was set back during the call, its period is unknown. */
function timesInOrder(times: Call['times']): Partial<Call['times']> {
  const { answeredAt = -Infinity, endedAt = Infinity } = times;
  return endedAt < answeredAt ? {} : times;
}
