import type { Endpoint } from './endpoint.js';
import type { EndEvent, ErrorEvent, InviteEvent, QualityEvent, RecordEvent, StreamEvent } from './record.js';

export function isInvite(event: RecordEvent): event is InviteEvent {
  return event.kind === 'invite' || event.kind === 'lrsInvite';
}

export function isStream(event: RecordEvent): event is StreamEvent {
  return event.kind === 'startOrUpdate' || event.kind === 'start' || event.kind === 'update';
}

export function isEnd(event: RecordEvent): event is EndEvent {
  return event.kind === 'ended' || event.kind === 'bye';
}

export function isError(event: RecordEvent): event is ErrorEvent {
  return event.kind === 'error';
}

export function isQuality(event: RecordEvent): event is QualityEvent {
  return event.kind === 'qualityUpdate' || event.kind === 'inCallQuality';
}

/** All endpoints that an event names. */
export function eventEndpoints(event: RecordEvent): readonly Endpoint[] {
  const endpoints = isInvite(event) ? [event.caller, event.callee] : [event.from, event.to, ...(event.endpoints ?? [])];
  return endpoints.filter((endpoint) => endpoint !== undefined);
}
