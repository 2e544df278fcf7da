import type { Scale } from '@ringdown/call-catalogue';

/** The times of the setup of a call, under the names of its fields. */
export type SetupMetric = 'ringSeconds' | 'setupSeconds' | 'postDialSeconds';

interface SetupScale extends Scale {
  /** Where `calls` has it. */
  readonly column: string;
}

const FINEST = { unit: 's', least: 0.01, most: 3_600 } as const;
const RINGING = [1, 2, 5, 10, 15, 20, 30, 45, 60, 120];

export const SETUP_METRICS: Readonly<Record<SetupMetric, SetupScale>> = {
  ringSeconds: { ...FINEST, column: 'ring_seconds', bounds: RINGING },
  setupSeconds: { ...FINEST, column: 'setup_seconds', bounds: RINGING },
  postDialSeconds: { ...FINEST, column: 'post_dial_seconds', bounds: [0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 11, 20] },
};

export const SETUP_METRIC_NAMES: readonly SetupMetric[] = ['ringSeconds', 'setupSeconds', 'postDialSeconds'];

export function isSetupMetric(metric: string): metric is SetupMetric {
  return Object.hasOwn(SETUP_METRICS, metric);
}
