import { keptText } from '../collections/kept.js';
import { CallQuality } from '../quality/call-quality.js';
import { CapturedStreams } from '../rtp/captured-streams.js';
import { Call } from './call.js';
import type { MeasuredCall } from './media/captured-media.js';
import { HoldTimes } from './media/hold-times.js';
import type { ObservedMessage } from './messages/observed-message.js';

/** A call of a front end with all that is known of it. */
export interface TrackedCall extends MeasuredCall {
  conversationId: string;
  /** Of the messages. That of records is another one if the Call-ID was used before. */
  readonly sipCallId: string;
  /** When its last message arrived, by a monotonic clock. */
  lastSeenAt: number;
  readonly holds: HoldTimes;
  /** When its answer arrived, by the same clock. */
  answeredSeenAt?: number;
  lastCapturedAt: number;
}

/** The call that a message opens. `callId`: of its records. */
export function trackCall(first: ObservedMessage, callId: string, joined: string, frontEnd: string): TrackedCall {
  const { message, arrivedAt, capturedAt } = first;
  const call = new Call(message, frontEnd);
  const sipCallId = callId === message.callId ? callId : keptText(message.callId);
  return {
    callId,
    call,
    quality: new CallQuality(call.evidence),
    holds: new HoldTimes(),
    streams: new CapturedStreams(call.evidence),
    sipCallId,
    // Another use of a Call-ID is another conversation.
    conversationId: joined === message.callId ? callId : keptText(joined),
    lastSeenAt: arrivedAt,
    firstCapturedAt: capturedAt,
    lastCapturedAt: capturedAt,
  };
}
