import { keptText } from '../collections/kept.js';
import { CallQuality } from '../quality/call-quality.js';
import { CapturedStreams } from '../rtp/captured-streams.js';
import { Call } from './call.js';
import type { MeasuredCall } from './captured-media.js';
import type { ObservedMessage } from './observed-message.js';

/** A call of a front end with all that is known of it. */
export interface TrackedCall extends MeasuredCall {
  conversationId: string;
  /** When its last message arrived, by a monotonic clock. */
  lastSeenAt: number;
  lastCapturedAt: number;
}

/** The call that a message opens. */
export function trackCall(first: ObservedMessage, conversationId: string, frontEnd: string): TrackedCall {
  const { message, arrivedAt, capturedAt } = first;
  const call = new Call(message, frontEnd);
  const callId = keptText(message.callId);
  return {
    callId,
    call,
    quality: new CallQuality(call.evidence),
    streams: new CapturedStreams(call.evidence),
    conversationId: conversationId === callId ? callId : keptText(conversationId),
    lastSeenAt: arrivedAt,
    firstCapturedAt: capturedAt,
    lastCapturedAt: capturedAt,
  };
}
