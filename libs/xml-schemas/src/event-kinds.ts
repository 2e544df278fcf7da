import type {
  EndEvent,
  Endpoint,
  ErrorEvent,
  InviteEvent,
  QualityEvent,
  RecordEvent,
  RecordEventKind,
  StreamEvent,
} from './record.js';

/** The body elements of all versions; `StartOrUpdate` is 1.0. */
export const ELEMENT_OF_KIND: Readonly<Record<RecordEventKind, string>> = {
  invite: 'Invite',
  lrsInvite: 'LRSInvite',
  startOrUpdate: 'StartOrUpdate',
  start: 'Start',
  update: 'Update',
  ended: 'Ended',
  bye: 'Bye',
  error: 'Error',
  qualityUpdate: 'QualityUpdate',
  inCallQuality: 'InCallQuality',
};

export const KIND_OF_ELEMENT: ReadonlyMap<string, RecordEventKind> = new Map(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the kinds; Object.entries forgets that
  Object.entries(ELEMENT_OF_KIND).map(([kind, element]) => [element, kind as RecordEventKind]),
);

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

/** Everybody whom an event names. */
export function endpointsOf(event: RecordEvent): readonly Endpoint[] {
  const endpoints = isInvite(event) ? [event.caller, event.callee] : [event.from, event.to, ...(event.endpoints ?? [])];
  return endpoints.filter((endpoint) => endpoint !== undefined);
}
