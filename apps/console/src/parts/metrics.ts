import type { Metric } from '../api/answers.js';
import { METRIC_UNITS } from '../api/catalogue.js';
import { texts } from '../texts/parts.js';
import { formatBandwidth, formatRounded, formatShare, visible, withUnit } from './format.js';

type Unit = 'share' | 'percent' | 'ms' | 'bandwidth' | 'perSecond' | 'dB' | 'number';

/** With a readable name; others keep the name of their element. */
type NamedMetric = keyof typeof METRIC_UNITS;

/** Does not compile while a metric of the catalogue has no name. */
const METRIC_NAMES: Readonly<Record<NamedMetric, string>> = texts.metrics;

/** How the API names the units of metrics. */
const BY_API: Readonly<Record<NonNullable<Metric['unit']>, Unit>> = {
  ratio: 'share',
  percent: 'percent',
  ms: 'ms',
  'bit/s': 'bandwidth',
  '1/s': 'perSecond',
  mos: 'number',
  dB: 'dB',
  count: 'number',
};

export function metricName(metric: string): string {
  return isNamed(metric) ? METRIC_NAMES[metric] : visible(metric);
}

/** A value of this metric with its unit: that of the API if the catalogue has none. */
export function formatMetric(metric: string, value: number | string, unit?: Metric['unit']): string {
  if (typeof value === 'string') return visible(value);
  const known = (isNamed(metric) ? METRIC_UNITS[metric] : null) ?? unit;
  switch (known ? BY_API[known] : 'number') {
    case 'share':
      return formatShare(value);
    case 'percent':
      return withUnit(formatRounded(value), '%');
    case 'ms':
      return withUnit(formatRounded(value), 'ms');
    case 'dB':
      return withUnit(formatRounded(value), 'dB');
    case 'perSecond':
      return `${formatRounded(value)}/s`;
    case 'bandwidth':
      return formatBandwidth(value);
    default:
      return formatRounded(value);
  }
}

/** Names come from records: they must not match inherited properties. */
function isNamed(metric: string): metric is NamedMetric {
  return Object.hasOwn(METRIC_UNITS, metric);
}
