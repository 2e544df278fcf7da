import type {
  EndEvent,
  Endpoint,
  ErrorEvent,
  InviteEvent,
  QualityEvent,
  RecordEvent,
  StreamEvent,
} from '@ringdown/xml-schemas';
import type { ReportedEvent } from './feed-record.js';

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

export function isFinalQuality(event: RecordEvent): event is QualityEvent {
  return event.kind === 'qualityUpdate';
}

export function reportsOf<E extends RecordEvent>(
  reports: readonly ReportedEvent[],
  is: (event: RecordEvent) => event is E,
): readonly ReportedEvent<E>[] {
  return reports.filter((report): report is ReportedEvent<E> => is(report.event));
}

export function endpointsOf(event: RecordEvent): readonly Endpoint[] {
  const endpoints = isInvite(event) ? [event.caller, event.callee] : [event.from, event.to, ...(event.endpoints ?? [])];
  return endpoints.filter((endpoint) => endpoint !== undefined);
}
