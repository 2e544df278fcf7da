import type { Element } from './element.js';
import { KIND_OF_ELEMENT } from './event-kinds.js';
import { ENDPOINT_FIELDS, FieldReader } from './field-tables.js';
import { readBandwidth, readCodecs, readMetrics, readRoute } from './read-media.js';
import { readOutcome } from './read-outcome.js';
import type { Endpoint, Parties, QualityEvent, RecordEvent, RecordEventKind, StreamEvent } from './record.js';
import { childNamed, childText, FurtherCollector, present, withoutAbsent } from './values.js';

type EventReader = (element: Element, diagnosticsNames: readonly string[]) => RecordEvent;

const endpointReader = new FieldReader<Endpoint>(ENDPOINT_FIELDS);

const EVENT_READERS: Readonly<Record<RecordEventKind, EventReader>> = {
  invite: (element) => ({ kind: 'invite', ...readInvited(element) }),
  lrsInvite: (element) => ({ kind: 'lrsInvite', ...readInvited(element) }),
  startOrUpdate: (element) => readStream('startOrUpdate', element),
  start: (element) => readStream('start', element),
  update: (element) => readStream('update', element),
  ended: (element, names) => ({ kind: 'ended', ...readParties(element), ...readEnd(element, names) }),
  bye: (element, names) => ({ kind: 'bye', ...readParties(element), ...readEnd(element, names) }),
  error: (element, names) => ({ kind: 'error', ...readParties(element), ...readEnd(element, names) }),
  qualityUpdate: (element) => readQuality('qualityUpdate', element),
  inCallQuality: (element) => readQuality('inCallQuality', element),
};

/** The children of a record's root that are events, in their order. */
export function readEvents(root: Element, diagnosticsNames: readonly string[]): RecordEvent[] {
  return root.children.flatMap((child) => {
    const kind = KIND_OF_ELEMENT.get(child.name);
    return kind === undefined ? [] : EVENT_READERS[kind](child, diagnosticsNames);
  });
}

function readInvited(element: Element): { caller?: Endpoint; callee?: Endpoint } {
  return withoutAbsent({ caller: readEndpoint(element, 'Caller'), callee: readEndpoint(element, 'Callee') });
}

function readEnd(element: Element, diagnosticsNames: readonly string[]): ReturnType<typeof readOutcome> {
  return readOutcome(childNamed(element, 'Properties'), diagnosticsNames);
}

function readParties(element: Element): Parties {
  const endpoints = element.children.filter((child) => child.name === 'EndPoint');
  return withoutAbsent({
    mediaType: present(element.attributes.get('Type'))?.toLowerCase(),
    from: readEndpoint(element, 'From'),
    to: readEndpoint(element, 'To'),
    endpoints: endpoints.length === 0 ? undefined : endpoints.map((child) => endpointReader.read(child)),
  });
}

function readEndpoint(element: Element, name: string): Endpoint | undefined {
  const child = childNamed(element, name);
  return child && endpointReader.read(child);
}

const STREAM_PROPERTIES = new Set(['Protocol', 'Bandwidth', 'EstimatedBandwidth', 'Codec']);

function readStream(kind: StreamEvent['kind'], element: Element): StreamEvent {
  const properties = childNamed(element, 'Properties');
  const further = new FurtherCollector();
  for (const child of properties?.children ?? []) {
    if (!STREAM_PROPERTIES.has(child.name)) further.add(child);
  }
  return withoutAbsent({
    kind,
    ...readParties(element),
    protocol: childText(properties, 'Protocol'),
    bandwidth: readBandwidth(childNamed(properties, 'Bandwidth')),
    codecs: readCodecs(properties),
    further: further.result(),
  });
}

function readQuality(kind: QualityEvent['kind'], element: Element): QualityEvent {
  const properties = childNamed(element, 'Properties');
  return withoutAbsent({
    kind,
    ...readParties(element),
    codecs: readCodecs(properties),
    streamQuality: childText(properties, 'StreamQuality'),
    metrics: readMetrics(properties),
    route: readRoute(childNamed(element, 'Route')),
  });
}
