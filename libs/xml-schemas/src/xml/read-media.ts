import { isTextMetric } from '@ringdown/call-catalogue/metrics';
import type { Bandwidth, Codec, Hop, Metric } from '../model/record.js';
import { parseInteger, isFieldName, parseNumber, present, withoutAbsent } from '../model/values.js';
import type { CutTexts } from './cut-texts.js';
import { type Element, trimmedElementText } from './element.js';
import type { ExtensionCollector } from './extension-collector.js';

/** The prefix of the paths of extensions inside `Properties`. */
export const PROPERTIES = 'Properties/';

const AMOUNT_FIELDS: ReadonlyMap<string, 'low' | 'high'> = new Map([
  ['Low', 'low'],
  ['Bandwidth', 'low'],
  ['High', 'high'],
  ['MaxBandwidth', 'high'],
]);

/**
 * 1.0: `EstimatedBandwidth@Codec` with `Low` and `High`; later: `Codec@Name` with `Bandwidth` and `MaxBandwidth`, where
 * -1 means unknown. A mixes the two, so both are always read. A codec without a name becomes extensions.
 */
export function readCodec(element: Element, extensions: ExtensionCollector, cut: CutTexts): Codec | undefined {
  const { attributes, children } = element;
  const name = present(attributes.get('Codec')) ?? present(attributes.get('Name')) ?? trimmedElementText(element);
  if (name === undefined) {
    extensions.add(element, PROPERTIES);
    return undefined;
  }
  const read = ['@Codec', '@Name'].filter((path) => attributes.has(path.slice(1)));
  const payloadType = parseInteger(present(attributes.get('PayLoadType')));
  if (payloadType !== undefined) read.push('@PayLoadType');
  const amounts: { low?: number | undefined; high?: number | undefined } = {};
  for (const child of children) {
    const field = AMOUNT_FIELDS.get(child.name);
    if (field === undefined || field in amounts) continue;
    amounts[field] = parseInteger(trimmedElementText(child));
    if (amounts[field] !== undefined) read.push(`/${child.name}`);
  }
  if (attributes.size + children.length > read.length) extensions.addAllExceptText(element, PROPERTIES, read);
  return withoutAbsent({
    name: cut.within(name, 'text', element),
    payloadType: amount(payloadType),
    low: amount(amounts.low),
    high: amount(amounts.high),
  });
}

export function readBandwidth(element: Element, extensions: ExtensionCollector): Bandwidth {
  const read: string[] = [];
  const keep = (path: string, text: string | undefined): number | undefined => {
    const value = amount(parseInteger(text));
    if (value !== undefined) read.push(path);
    return value;
  };
  const child = (name: string): number | undefined =>
    keep(`/${name}`, trimmedElementText(element.children.find((candidate) => candidate.name === name)));
  const bandwidth = withoutAbsent({
    average: child('Average'),
    maximum: child('Maximum'),
    multiplexed: keep('@Multiplexed', present(element.attributes.get('Multiplexed'))),
  });
  extensions.add(element, PROPERTIES, read);
  return bandwidth;
}

/** Every simple element of the quality properties is a metric, known or not; the first of a name counts. */
export class MetricCollector {
  private readonly metrics: Record<string, Metric> = {};

  constructor(private readonly cut: CutTexts) {}

  /** Returns whether the element was a metric. */
  add(element: Element, extensions: ExtensionCollector): boolean {
    const { name, attributes, children } = element;
    if (children.length > 0 || Object.hasOwn(this.metrics, name) || !isFieldName(name)) return false;
    const whole = trimmedElementText(element);
    if (whole === undefined) return false;
    const text = this.cut.within(whole, 'text', element);
    const limit = parseNumber(present(attributes.get('Limit')));
    // The first digits of a longer number are another number.
    const value = text !== whole || isTextMetric(name) ? text : (parseNumber(text) ?? text);
    this.metrics[name] = limit === undefined ? { value } : { value, limit };
    if (attributes.size > (limit === undefined ? 0 : 1)) {
      extensions.addAllExceptText(element, PROPERTIES, limit === undefined ? [] : ['@Limit']);
    }
    return true;
  }

  result(): Record<string, Metric> {
    return this.metrics;
  }
}

/** The hops of the media. A hop without address and time becomes extensions, like every other element there. */
export function readRoute(element: Element, extensions: ExtensionCollector, cut: CutTexts): Hop[] {
  extensions.addAttributes(element, undefined, element.name);
  return element.children.flatMap((child) => {
    if (child.name !== 'Hop') {
      extensions.add(child, `${element.name}/`);
      return [];
    }
    const rtt = parseNumber(present(child.attributes.get('RTT')));
    extensions.addAllExceptText(child, `${element.name}/`, rtt === undefined ? [] : ['@RTT']);
    const address = cut.within(trimmedElementText(child), 'host', child);
    return address === undefined && rtt === undefined ? [] : withoutAbsent({ address, rtt });
  });
}

function amount(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 ? value : undefined;
}
