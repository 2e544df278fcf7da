import type { Element } from './element.js';
import type { Bandwidth, Codec, Hop, Metric } from './record.js';
import {
  childText,
  FURTHER_TEXT_LIMIT,
  integerOf,
  isFieldName,
  numberOf,
  present,
  textOf,
  withoutAbsent,
} from './values.js';

const CODEC_ELEMENTS = new Set(['EstimatedBandwidth', 'Codec']);
const NO_METRICS = new Set([...CODEC_ELEMENTS, 'StreamQuality', 'Bandwidth']);

/**
 * 1.0: `EstimatedBandwidth@Codec` with `Low` and `High`; later: `Codec@Name` with `Bandwidth` and `MaxBandwidth`, where
 * -1 stands for unknown. A mixes the two, so both are read everywhere. One without a name says nothing and is left out.
 */
export function readCodecs(properties: Element | undefined): Codec[] {
  const elements = properties?.children.filter((child) => CODEC_ELEMENTS.has(child.name)) ?? [];
  return elements.flatMap((element) => {
    const { attributes } = element;
    const name = present(attributes.get('Codec')) ?? present(attributes.get('Name')) ?? textOf(element);
    if (name === undefined) return [];
    return withoutAbsent({
      name,
      payloadType: amount(present(attributes.get('PayLoadType'))),
      low: amount(childText(element, 'Low') ?? childText(element, 'Bandwidth')),
      high: amount(childText(element, 'High') ?? childText(element, 'MaxBandwidth')),
    });
  });
}

export function readBandwidth(element: Element | undefined): Bandwidth | undefined {
  if (!element) return undefined;
  return withoutAbsent({
    average: amount(childText(element, 'Average')),
    maximum: amount(childText(element, 'Maximum')),
    multiplexed: amount(present(element.attributes.get('Multiplexed'))),
  });
}

/** Every simple element of the quality properties is a metric, known or not; the first of a name counts. */
export function readMetrics(properties: Element | undefined): Record<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const child of properties?.children ?? []) {
    if (NO_METRICS.has(child.name) || metrics.has(child.name) || child.children.length > 0) continue;
    const text = textOf(child);
    if (text === undefined || text.length > FURTHER_TEXT_LIMIT || !isFieldName(child.name)) continue;
    const limit = numberOf(present(child.attributes.get('Limit')));
    metrics.set(child.name, withoutAbsent({ value: numberOf(text) ?? text, limit }));
  }
  return Object.fromEntries(metrics);
}

export function readRoute(element: Element | undefined): Hop[] | undefined {
  return element?.children
    .filter((child) => child.name === 'Hop')
    .map((hop) => withoutAbsent({ address: textOf(hop), rtt: numberOf(present(hop.attributes.get('RTT'))) }));
}

function amount(text: string | undefined): number | undefined {
  const value = integerOf(text);
  return value !== undefined && value >= 0 ? value : undefined;
}
