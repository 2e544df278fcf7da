import type { Endpoint } from '../model/endpoint.js';
import { ENDPOINT_FIELDS } from '../model/field-tables.js';
import type {
  Bandwidth,
  Codec,
  EndEvent,
  ErrorEvent,
  InviteEvent,
  Parties,
  QualityEvent,
  RecordEvent,
  RecordEventKind,
  StreamEvent,
} from '../model/record.js';
import { present, withoutAbsent } from '../model/values.js';
import type { CutTexts } from './cut-texts.js';
import { type Element, joinedElement, trimmedElementText } from './element.js';
import { ExtensionCollector, type ReadingBudget } from './extension-collector.js';
import type { Reading } from './feed-vocabulary.js';
import { FieldReader } from './field-reader.js';
import { MetricCollector, PROPERTIES, readBandwidth, readCodec, readRoute } from './read-media.js';
import { readOutcome } from './read-outcome.js';

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

function readInvite(kind: InviteEvent['kind'], element: Element, { budget }: Reading): InviteEvent {
  const extensions = new ExtensionCollector(budget);
  extensions.addAttributes(element);
  let caller: Endpoint | undefined;
  let callee: Endpoint | undefined;
  for (const child of element.children) {
    if (child.name === 'Caller' && caller === undefined) caller = endpointReader.read(child, budget);
    else if (child.name === 'Callee' && callee === undefined) callee = endpointReader.read(child, budget);
    else extensions.add(child);
  }
  return withoutAbsent({ kind, caller, callee, further: extensions.result() });
}

/** The content of an event of any other kind. */
interface Body extends Omit<Parties, 'further'> {
  readonly properties: Element | undefined;
  readonly route: Element | undefined;
}

function readBody(element: Element, budget: ReadingBudget, extensions: ExtensionCollector): Body {
  let from: Endpoint | undefined;
  let to: Endpoint | undefined;
  const endpoints: Endpoint[] = [];
  const allProperties: Element[] = [];
  const routes: Element[] = [];
  for (const child of element.children) {
    if (child.name === 'From' && from === undefined) from = endpointReader.read(child, budget);
    else if (child.name === 'To' && to === undefined) to = endpointReader.read(child, budget);
    else if (child.name === 'EndPoint') endpoints.push(endpointReader.read(child, budget));
    else if (child.name === 'Properties') allProperties.push(child);
    else if (child.name === 'Route') routes.push(child);
    else extensions.add(child);
  }
  const properties = joinedElement(allProperties);
  extensions.addAttributes(element, 'Type');
  if (properties) extensions.addAttributes(properties, undefined, properties.name);
  const type = present(element.attributes.get('Type'));
  const mediaType = budget.cut.within(type, 'word', element, `${element.name}@Type`)?.toLowerCase();
  const parties = withoutAbsent({ mediaType, from, to, endpoints: endpoints.length === 0 ? undefined : endpoints });
  return { ...parties, properties, route: joinedElement(routes) };
}

function readStream(kind: StreamEvent['kind'], element: Element, { budget }: Reading): StreamEvent {
  const extensions = new ExtensionCollector(budget);
  const { properties, route, ...parties } = readBody(element, budget, extensions);
  if (route) extensions.add(route);
  const codecs: Codec[] = [];
  const via: string[] = [];
  const texts: Partial<Record<'protocol' | 'referredBy' | 'replaces', string>> = {};
  let bandwidth: Bandwidth | undefined;
  for (const child of properties?.children ?? []) {
    const text = trimmedElementText(child);
    const field = STREAM_TEXTS.get(child.name);
    if (CODEC_ELEMENTS.has(child.name)) {
      const codec = readCodec(child, extensions, budget.cut);
      if (codec) codecs.push(codec);
    } else if (child.name === 'Bandwidth' && bandwidth === undefined) {
      bandwidth = readBandwidth(child, extensions);
    } else if (text === undefined || (field === undefined ? child.name !== 'Via' : texts[field] !== undefined)) {
      extensions.add(child, PROPERTIES);
    } else {
      const kept = budget.cut.within(text, field === 'protocol' ? 'text' : 'address', child);
      if (field === undefined) via.push(kept);
      else texts[field] = kept;
      extensions.addAllExceptText(child, PROPERTIES);
    }
  }
  return withoutAbsent({
    kind,
    ...parties,
    ...texts,
    bandwidth,
    codecs,
    via: via.length === 0 ? undefined : via,
    further: extensions.result(),
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
  { vocabulary, budget }: Reading,
): EndEvent | ErrorEvent {
  const extensions = new ExtensionCollector(budget);
  const { properties, route, ...parties } = readBody(element, budget, extensions);
  if (route) extensions.add(route);
  const outcome = readOutcome(properties, vocabulary, extensions, budget.cut);
  return withoutAbsent({ kind, ...parties, ...outcome, further: extensions.result() });
}

function readQuality(kind: QualityEvent['kind'], element: Element, { budget }: Reading): QualityEvent {
  const extensions = new ExtensionCollector(budget);
  const { properties, route, ...parties } = readBody(element, budget, extensions);
  const codecs: Codec[] = [];
  const metrics = new MetricCollector(budget.cut);
  const verdict = properties?.children.find(
    (child) => child.name === 'StreamQuality' && trimmedElementText(child) !== undefined,
  );
  for (const child of properties?.children ?? []) {
    if (CODEC_ELEMENTS.has(child.name)) {
      const codec = readCodec(child, extensions, budget.cut);
      if (codec) codecs.push(codec);
    } else if (child === verdict) {
      extensions.addAllExceptText(child, PROPERTIES, ['@Source']);
    } else if (child.name === 'StreamQuality' || !metrics.add(child, extensions)) {
      extensions.add(child, PROPERTIES);
    }
  }
  return withoutAbsent({
    kind,
    ...parties,
    codecs,
    ...(verdict && readVerdict(verdict, budget.cut)),
    metrics: metrics.result(),
    route: route && readRoute(route, extensions, budget.cut),
    further: extensions.result(),
  });
}

function readVerdict(element: Element, cut: CutTexts): Pick<QualityEvent, 'streamQuality' | 'streamQualitySource'> {
  return withoutAbsent({
    streamQuality: cut.within(trimmedElementText(element), 'text', element),
    streamQualitySource: cut.within(present(element.attributes.get('Source')), 'text', element),
  });
}
