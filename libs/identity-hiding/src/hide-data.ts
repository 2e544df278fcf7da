import { isTextMetric } from '@ringdown/call-catalogue/metrics';
import type { BoundedTexts } from './bounded-texts.js';
import {
  diagnosticsKey,
  elementName,
  extensionValue,
  metricName,
  metricText,
  fieldRule,
  unknownValue,
  keyValueRule,
} from './field-rules.js';

/** Plain data in which every text is hidden by the rule of its field. */
export function hideData(value: unknown, texts: BoundedTexts): unknown {
  return hideIn(value, '', '');

  /** `holder`: the field that contains this one. */
  function hideIn(inner: unknown, field: string, holder: string): unknown {
    if (typeof inner === 'string') return texts.shown(inner, fieldRule(field, holder));
    if (Array.isArray(inner)) return inner.map((item: unknown) => hideIn(item, field, holder));
    if (typeof inner !== 'object' || inner === null) return inner;
    if (field === 'further')
      return mapped(inner, (path, text) => [hidePath(path, texts), hideExtension(path, text, texts)]);
    if (field === 'metrics') return mapped(inner, (name, metric) => hideMetric(name, metric, texts));
    if (isPair(inner)) {
      return { key: texts.name(inner.key, diagnosticsKey), value: texts.shown(inner.value, keyValueRule(inner.key)) };
    }
    // The owner of a clock is known.
    const clock = 'clock' in inner && 'name' in inner ? (inner.clock === 'frontEnd' ? 'frontEnd' : 'id') : undefined;
    return mapped(inner, (key, each) => [key, hideIn(each, key === 'name' ? (clock ?? key) : key, field)]);
  }
}

function mapped(value: object, change: (key: string, value: unknown) => readonly [string, unknown]): unknown {
  return Object.fromEntries(Object.entries(value).map(([key, inner]: [string, unknown]) => change(key, inner)));
}

/** `Party[2]/Name@Lang`: a name that does not belong to the feed may itself contain the name of a person. */
function hidePath(path: string, texts: BoundedTexts): string {
  return path.replaceAll(/[^/@[\]]+/g, (step) => texts.name(step, elementName));
}

/** `Owner`, `Party[2]/Name` and `Party@Owner` identify a person like a key of diagnostics does. */
function hideExtension(path: string, value: unknown, texts: BoundedTexts): unknown {
  if (typeof value !== 'string') return texts.shown(JSON.stringify(value), unknownValue);
  const name = (path.split(/[/@]/).at(-1) ?? path).replace(/\[\d{1,4}\]$/, '');
  return texts.shown(value, extensionValue(name, value));
}

function hideMetric(name: string, metric: unknown, texts: BoundedTexts): readonly [string, unknown] {
  const { value, ...rest } = Object(metric);
  const shownName = texts.name(name, metricName);
  if (shownName !== name) return [shownName, { value: texts.shown(String(value), unknownValue) }];
  // Calls of before have numbers in place of texts that look like them.
  const isText = typeof value === 'string' || isTextMetric(name);
  return [name, { value: isText ? texts.shown(String(value), metricText(name)) : value, ...rest }];
}

function isPair(value: object): value is { key: string; value: string } {
  return 'key' in value && 'value' in value && typeof value.key === 'string' && typeof value.value === 'string';
}
