import type { Element } from './element.js';
import type { Reading } from './feed-vocabulary.js';
import { FieldReader } from './field-reader.js';
import { ENDPOINT_FIELDS } from './field-tables.js';
import { FurtherCollector, type FurtherRoom } from './further.js';
import type { CutTexts } from './limits.js';
import { MetricCollector, PROPERTIES, readBandwidth, readCodec, readRoute } from './read-media.js';
import { readOutcome } from './read-outcome.js';
import type {
  Bandwidth,
  Codec,
  EndEvent,
  Endpoint,
  ErrorEvent,
  InviteEvent,
  Parties,
  QualityEvent,
  RecordEvent,
  RecordEventKind,
  StreamEvent,
} from './record.js';
import { joined, present, textOf, withoutAbsent } from './values.js';

const endpointReader = new FieldReader<Endpoint>(ENDPOINT_FIELDS);

export function readEvent(kind: RecordEventKind, element: Element, reading: Reading): RecordEvent {
  switch (kind) {
    case 'invite':
    case 'lrsInvite':
      return readInvite(kind, element, reading);
    case 'startOrUpdate':
    case 'start':
    case 'update':
      return readStream(kind, element, reading);
    case 'ended':
    case 'bye':
    case 'error':
      return readEnd(kind, element, reading);
    // The two kinds of quality report.
    default:
      return readQuality(kind, element, reading);
  }
}

function readInvite(kind: InviteEvent['kind'], element: Element, { room }: Reading): InviteEvent {
  const further = new FurtherCollector(room);
  further.addAttributes(element);
  let caller: Endpoint | undefined;
  let callee: Endpoint | undefined;
  for (const child of element.children) {
    if (child.name === 'Caller' && caller === undefined) caller = endpointReader.read(child, room);
    else if (child.name === 'Callee' && callee === undefined) callee = endpointReader.read(child, room);
    else further.add(child);
  }
  return withoutAbsent({ kind, caller, callee, further: further.result() });
}

/** What stands in an event of any other kind. */
interface Body extends Omit<Parties, 'further'> {
  readonly properties: Element | undefined;
  readonly route: Element | undefined;
}

function readBody(element: Element, room: FurtherRoom, further: FurtherCollector): Body {
  let from: Endpoint | undefined;
  let to: Endpoint | undefined;
  const endpoints: Endpoint[] = [];
  let properties: Element | undefined;
  let route: Element | undefined;
  for (const child of element.children) {
    if (child.name === 'From' && from === undefined) from = endpointReader.read(child, room);
    else if (child.name === 'To' && to === undefined) to = endpointReader.read(child, room);
    else if (child.name === 'EndPoint') endpoints.push(endpointReader.read(child, room));
    else if (child.name === 'Properties') properties = joined(properties, child);
    else if (child.name === 'Route') route = joined(route, child);
    else further.add(child);
  }
  further.addAttributes(element, 'Type');
  if (properties) further.addAttributes(properties, undefined, properties.name);
  const type = present(element.attributes.get('Type'));
  const mediaType = room.cut.within(type, 'word', element, `${element.name}@Type`)?.toLowerCase();
  const parties = withoutAbsent({ mediaType, from, to, endpoints: endpoints.length === 0 ? undefined : endpoints });
  return { ...parties, properties, route };
}

function readStream(kind: StreamEvent['kind'], element: Element, { room }: Reading): StreamEvent {
  const further = new FurtherCollector(room);
  const { properties, route, ...parties } = readBody(element, room, further);
  if (route) further.add(route);
  const codecs: Codec[] = [];
  const via: string[] = [];
  const texts: Partial<Record<'protocol' | 'referredBy' | 'replaces', string>> = {};
  let bandwidth: Bandwidth | undefined;
  for (const child of properties?.children ?? []) {
    const text = textOf(child);
    const field = STREAM_TEXTS.get(child.name);
    if (CODEC_ELEMENTS.has(child.name)) {
      const codec = readCodec(child, further, room.cut);
      if (codec) codecs.push(codec);
    } else if (child.name === 'Bandwidth' && bandwidth === undefined) {
      bandwidth = readBandwidth(child, further);
    } else if (text === undefined || (field === undefined ? child.name !== 'Via' : texts[field] !== undefined)) {
      further.add(child, PROPERTIES);
    } else {
      const kept = room.cut.within(text, field === 'protocol' ? 'text' : 'address', child);
      if (field === undefined) via.push(kept);
      else texts[field] = kept;
      further.addRest(child, PROPERTIES);
    }
  }
  return withoutAbsent({
    kind,
    ...parties,
    ...texts,
    bandwidth,
    codecs,
    via: via.length === 0 ? undefined : via,
    further: further.result(),
  });
}

const CODEC_ELEMENTS: ReadonlySet<string> = new Set(['EstimatedBandwidth', 'Codec']);

const STREAM_TEXTS: ReadonlyMap<string, 'protocol' | 'referredBy' | 'replaces'> = new Map([
  ['Protocol', 'protocol'],
  ['ReferredBy', 'referredBy'],
  ['Replaces', 'replaces'],
]);

function readEnd(
  kind: (EndEvent | ErrorEvent)['kind'],
  element: Element,
  { vocabulary, room }: Reading,
): EndEvent | ErrorEvent {
  const further = new FurtherCollector(room);
  const { properties, route, ...parties } = readBody(element, room, further);
  if (route) further.add(route);
  const outcome = readOutcome(properties, vocabulary, further, room.cut);
  return withoutAbsent({ kind, ...parties, ...outcome, further: further.result() });
}

function readQuality(kind: QualityEvent['kind'], element: Element, { room }: Reading): QualityEvent {
  const further = new FurtherCollector(room);
  const { properties, route, ...parties } = readBody(element, room, further);
  const codecs: Codec[] = [];
  const metrics = new MetricCollector();
  const verdict = properties?.children.find((child) => child.name === 'StreamQuality' && textOf(child) !== undefined);
  for (const child of properties?.children ?? []) {
    if (CODEC_ELEMENTS.has(child.name)) {
      const codec = readCodec(child, further, room.cut);
      if (codec) codecs.push(codec);
    } else if (child === verdict) {
      further.addRest(child, PROPERTIES, ['@Source']);
    } else if (child.name === 'StreamQuality' || !metrics.add(child, further)) {
      further.add(child, PROPERTIES);
    }
  }
  return withoutAbsent({
    kind,
    ...parties,
    codecs,
    ...(verdict && readVerdict(verdict, room.cut)),
    metrics: metrics.result(),
    route: route && readRoute(route, further, room.cut),
    further: further.result(),
  });
}

function readVerdict(element: Element, cut: CutTexts): Pick<QualityEvent, 'streamQuality' | 'streamQualitySource'> {
  return withoutAbsent({
    streamQuality: cut.within(textOf(element), 'text', element),
    streamQualitySource: cut.within(present(element.attributes.get('Source')), 'text', element),
  });
}
