import type {
  Bandwidth,
  Codec,
  EndEvent,
  ErrorEvent,
  InviteEvent,
  Metric,
  Parties,
  QualityEvent,
  RecordEvent,
  StreamEvent,
} from '../model/record.js';
import { isFieldName } from '../model/values.js';
import { element, optionalElement, type XmlNode } from './build-xml.js';
import { ELEMENT_OF_KIND } from './event-elements.js';
import { extensionTree, detachChild } from './write-extensions.js';
import {
  container,
  optionalContainer,
  writeEndpoint,
  writeOutcome,
  writeRoute,
  type WritingStyle,
} from './write-parts.js';

export function writeEvent(event: RecordEvent, style: WritingStyle): XmlNode {
  switch (event.kind) {
    case 'invite':
    case 'lrsInvite':
      return writeInvite(event, style);
    case 'startOrUpdate':
    case 'start':
    case 'update':
      return writeBody(event, style, streamProperties(event, style));
    case 'ended':
    case 'bye':
    case 'error':
      return writeBody(event, style, writeOutcome(event, style, !style.firstVersion));
    // The two kinds of quality report.
    default:
      return writeBody(event, style, qualityProperties(event, style));
  }
}

function writeInvite(event: InviteEvent, style: WritingStyle): XmlNode {
  const children = [...writeEndpoint('Caller', event.caller, style), ...writeEndpoint('Callee', event.callee, style)];
  return container(ELEMENT_OF_KIND[event.kind], children, extensionTree(event.further));
}

function writeBody(
  event: StreamEvent | EndEvent | ErrorEvent | QualityEvent,
  style: WritingStyle,
  properties: readonly XmlNode[],
): XmlNode {
  const extensions = extensionTree(event.further);
  const propertyExtensions = detachChild(extensions, 'Properties');
  const route = 'route' in event ? writeRoute(event.route, detachChild(extensions, 'Route')) : [];
  const children = [
    ...parties(event, style),
    ...optionalContainer('Properties', properties, propertyExtensions),
    ...route,
  ];
  return container(ELEMENT_OF_KIND[event.kind], children, extensions, { Type: event.mediaType });
}

function parties({ from, to, endpoints = [] }: Parties, style: WritingStyle): XmlNode[] {
  return [
    ...endpoints.flatMap((endpoint) => writeEndpoint('EndPoint', endpoint, style)),
    ...writeEndpoint('From', from, style),
    ...writeEndpoint('To', to, style),
  ];
}

function streamProperties(event: StreamEvent, style: WritingStyle): XmlNode[] {
  const { protocol, bandwidth, codecs, referredBy, replaces, via = [] } = event;
  return [
    ...optionalElement('Protocol', protocol),
    ...(bandwidth ? [writeBandwidth(bandwidth)] : []),
    ...codecs.map((codec) => writeCodec(codec, style)),
    ...optionalElement('ReferredBy', referredBy),
    ...optionalElement('Replaces', replaces),
    ...via.map((hop) => element('Via', hop)),
  ];
}

function writeBandwidth({ average, maximum, multiplexed }: Bandwidth): XmlNode {
  const children = [...optionalElement('Average', average), ...optionalElement('Maximum', maximum)];
  return element('Bandwidth', children, { Multiplexed: multiplexed });
}

function writeCodec({ name, payloadType, low, high }: Codec, { firstVersion }: WritingStyle): XmlNode {
  if (firstVersion) {
    const children = [...optionalElement('Low', low), ...optionalElement('High', high)];
    return element('EstimatedBandwidth', children, { Codec: name, PayLoadType: payloadType });
  }
  const children = [...optionalElement('Bandwidth', low), ...optionalElement('MaxBandwidth', high)];
  return element('Codec', children, { Name: name, PayLoadType: payloadType });
}

function qualityProperties(event: QualityEvent, style: WritingStyle): XmlNode[] {
  const { streamQuality, streamQualitySource: source, codecs, metrics } = event;
  return [
    ...(streamQuality === undefined ? [] : [element('StreamQuality', streamQuality, { Source: source })]),
    ...codecs.map((codec) => writeCodec(codec, style)),
    ...Object.entries(metrics).flatMap(([name, value]) => writeMetric(name, value)),
  ];
}

/** A metric with an invalid name is left out: it could not be read back, or would break the document. */
function writeMetric(name: string, { value, limit }: Metric): XmlNode[] {
  return isFieldName(name) ? [element(name, value, { Limit: limit })] : [];
}
