import type { Threshold } from '@ringdown/call-catalogue/metrics';
import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import {
  defaultProfiles,
  defaultThresholds,
  PROFILE_NAMES,
  type ProfileName,
  type MediumThresholds,
  type ThresholdProfile,
  type ThresholdProfiles,
} from './thresholds.js';

/**
 * The profiles selected by the setting `QUALITY_THRESHOLDS`: `default`, or the path of a JSON file with the differences
 * from the default, for all versions and under `versions` for each. A metric that is null is not judged. Throws an Error that completes "QUALITY_THRESHOLDS …".
 */
export function loadThresholds(nameOrFile: string): ThresholdProfiles {
  if (nameOrFile === 'default') return defaultProfiles;
  const { versions = {}, ...media } = objectAt(readJson(nameOrFile), '');
  const common = changedProfile(defaultThresholds, media, '');
  const own = objectAt(versions, '/versions');
  const unknown = Object.keys(own).find((name) => !PROFILE_NAMES.some((each) => each === name));
  if (unknown !== undefined)
    throw new Error(`has an unknown key "/versions/${unknown}": versions are ${PROFILE_NAMES.join(', ')}`);
  const of = (name: ProfileName): ThresholdProfile => {
    const path = `/versions/${name}`;
    return own[name] === undefined ? common : changedProfile(common, objectAt(own[name], path), path);
  };
  return { '1.0': of('1.0'), A: of('A'), C: of('C'), D: of('D'), RTP: of('RTP') };
}

function changedProfile(
  base: ThresholdProfile,
  media: Readonly<Record<string, unknown>>,
  path: string,
): ThresholdProfile {
  const changed = Object.entries(media).map(([medium, part]) => {
    const name = medium.toLowerCase();
    const before = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, mediumThresholds(before, part, `${path}/${medium}`)] as const;
  });
  return { ...base, ...Object.fromEntries(changed) };
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
    const reason = errorReason(error);
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
