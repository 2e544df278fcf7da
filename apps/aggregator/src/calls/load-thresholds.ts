import { reasonOf } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { defaultThresholds, type MediumThresholds, type Threshold, type ThresholdProfile } from './thresholds.js';

/**
 * The profile selected by the setting `QUALITY_THRESHOLDS`: `default`, or the path of a JSON file with the differences
 * from the default. A metric that is null is not judged. Throws an Error that completes "QUALITY_THRESHOLDS …".
 */
export function loadThresholds(nameOrFile: string): ThresholdProfile {
  if (nameOrFile === 'default') return defaultThresholds;
  const media = objectAt(readJson(nameOrFile), '');
  const changed = Object.entries(media).map(([medium, part]) => {
    return [
      medium.toLowerCase(),
      mediumThresholds(defaultThresholds[medium.toLowerCase()], part, `/${medium}`),
    ] as const;
  });
  return { ...defaultThresholds, ...Object.fromEntries(changed) };
}

const NO_THRESHOLDS: MediumThresholds = { metrics: {}, minimumPackets: 0, zeroWhenAbsent: [] };

function mediumThresholds(base: MediumThresholds = NO_THRESHOLDS, part: unknown, path: string): MediumThresholds {
  const { metrics = {}, minimumPackets, zeroWhenAbsent, mos, ...unknown } = objectAt(part, path);
  refuseOthers(unknown, path);
  return {
    metrics: mergedMetrics(base.metrics, objectAt(metrics, `${path}/metrics`), `${path}/metrics`),
    minimumPackets:
      minimumPackets === undefined ? base.minimumPackets : amountAt(minimumPackets, `${path}/minimumPackets`),
    zeroWhenAbsent:
      zeroWhenAbsent === undefined ? base.zeroWhenAbsent : namesAt(zeroWhenAbsent, `${path}/zeroWhenAbsent`),
    mos: mos === undefined ? base.mos : mos === null ? undefined : thresholdAt(mos, `${path}/mos`),
  };
}

function mergedMetrics(
  base: MediumThresholds['metrics'],
  changes: Readonly<Record<string, unknown>>,
  path: string,
): MediumThresholds['metrics'] {
  const merged = new Map(Object.entries(base));
  for (const [metric, change] of Object.entries(changes)) {
    if (change === null) merged.delete(metric);
    else merged.set(metric, thresholdAt(change, `${path}/${metric}`));
  }
  return Object.fromEntries(merged);
}

function thresholdAt(value: unknown, path: string): Threshold {
  const { optimal, acceptable, ...unknown } = objectAt(value, path);
  refuseOthers(unknown, path);
  return { optimal: amountAt(optimal, `${path}/optimal`), acceptable: amountAt(acceptable, `${path}/acceptable`) };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = reasonOf(error);
    throw new Error(`must be "default" or a readable JSON file: ${reason}`, { cause: error });
  }
}

function objectAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`must contain an object at "${path || '/'}"`);
  }
  return Object.fromEntries(Object.entries(value));
}

function refuseOthers(unknown: object, path: string): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new Error(`has an unknown key "${path}/${name}"`);
}

function amountAt(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw new Error(`needs a number of 0 or more at "${path}"`);
  }
  return value;
}

function namesAt(value: unknown, path: string): readonly string[] {
  const names = Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : undefined;
  if (!Array.isArray(value) || names?.length !== value.length) throw new Error(`needs a list of texts at "${path}"`);
  return names;
}
