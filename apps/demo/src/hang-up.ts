import { errorEvent, recordTime, type ScriptedRecord } from '@ringdown/generated-calls';
import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { CANCELLED } from './calls/call-plan.js';

/** A call that the system has as in progress. */
export interface OpenCall {
  readonly callId: string;
  readonly conversationId: string;
  readonly frontEnd: string;
  readonly isAnswered: boolean;
  /** Milliseconds since 1970, by the front end. */
  readonly beganAt: number;
  /** When its newest record arrived: for a back-fill, long after it. */
  readonly lastReceivedAt: number;
  /** Dialog tags of its parties. */
  readonly tags: readonly string[];
}

/** No call of the demo is longer. */
const LONGEST_MS = 40 * 60_000;

/** The record that ends a call of an earlier run when that run was killed. */
export function hangUp({ callId, conversationId, frontEnd, isAnswered, tags, ...times }: OpenCall): ScriptedRecord {
  const { beganAt, lastReceivedAt } = times;
  const endpoints = tags.map((id) => ({ id }));
  const at = Math.max(beganAt + 1, Math.min(lastReceivedAt, beganAt + LONGEST_MS));
  const event: RecordEvent = isAnswered ? { kind: 'bye', endpoints } : errorEvent(endpoints, CANCELLED);
  const connection = { callId, frontEnds: [frontEnd], conversationId, timeStamp: recordTime(at) };
  return { at, frontEnd, record: { version: 'D', connection, events: [event] } };
}
