import { element, optionalElement, type XmlNode } from './build-xml.js';
import { ELEMENT_OF_KIND } from './event-kinds.js';
import type { Bandwidth, Codec, Metric, Parties, QualityEvent, RecordEvent, StreamEvent } from './record.js';
import { isFieldName } from './values.js';
import { writeEndpoint, writeFurther, writeOutcome, writeRoute, type WritingStyle } from './write-parts.js';

export function writeEvent(event: RecordEvent, style: WritingStyle): XmlNode {
  const name = ELEMENT_OF_KIND[event.kind];
  switch (event.kind) {
    case 'invite':
    case 'lrsInvite':
      return element(name, [
        ...writeEndpoint('Caller', event.caller, style),
        ...writeEndpoint('Callee', event.callee, style),
      ]);
    case 'startOrUpdate':
    case 'start':
    case 'update':
      return element(name, [...parties(event, style), ...properties(streamProperties(event, style))], typeOf(event));
    case 'ended':
    case 'bye':
    case 'error': {
      const outcome = writeOutcome(event, style, !style.firstVersion);
      return element(name, [...parties(event, style), ...properties(outcome)], typeOf(event));
    }
    // The two kinds of quality report.
    default: {
      const children = [...properties(qualityProperties(event, style)), ...writeRoute(event.route)];
      return element(name, [...parties(event, style), ...children], typeOf(event));
    }
  }
}

function typeOf({ mediaType }: Parties): { Type: string | undefined } {
  return { Type: mediaType };
}

function parties({ from, to, endpoints = [] }: Parties, style: WritingStyle): XmlNode[] {
  return [
    ...endpoints.flatMap((endpoint) => writeEndpoint('EndPoint', endpoint, style)),
    ...writeEndpoint('From', from, style),
    ...writeEndpoint('To', to, style),
  ];
}

function properties(children: readonly XmlNode[]): XmlNode[] {
  return children.length === 0 ? [] : [element('Properties', children)];
}

function streamProperties(event: StreamEvent, style: WritingStyle): XmlNode[] {
  return [
    ...optionalElement('Protocol', event.protocol),
    ...(event.bandwidth ? [bandwidth(event.bandwidth)] : []),
    ...event.codecs.map((item) => codec(item, style)),
    ...writeFurther(event.further),
  ];
}

function bandwidth({ average, maximum, multiplexed }: Bandwidth): XmlNode {
  const children = [...optionalElement('Average', average), ...optionalElement('Maximum', maximum)];
  return element('Bandwidth', children, { Multiplexed: multiplexed });
}

function codec({ name, payloadType, low, high }: Codec, { firstVersion }: WritingStyle): XmlNode {
  if (firstVersion) {
    const children = [...optionalElement('Low', low), ...optionalElement('High', high)];
    return element('EstimatedBandwidth', children, { Codec: name, PayLoadType: payloadType });
  }
  const children = [...optionalElement('Bandwidth', low), ...optionalElement('MaxBandwidth', high)];
  return element('Codec', children, { Name: name, PayLoadType: payloadType });
}

function qualityProperties(event: QualityEvent, style: WritingStyle): XmlNode[] {
  return [
    ...optionalElement('StreamQuality', event.streamQuality),
    ...event.codecs.map((item) => codec(item, style)),
    ...Object.entries(event.metrics).flatMap(([name, value]) => metric(name, value)),
  ];
}

/** A metric whose name is no name of the feed is left out: it could not be read back, or break the document. */
function metric(name: string, { value, limit }: Metric): XmlNode[] {
  return isFieldName(name) ? [element(name, value, { Limit: limit })] : [];
}
