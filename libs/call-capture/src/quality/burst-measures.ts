import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { VoiceMeasures } from './rtcp-report.js';

type BurstMeasures = Pick<VoiceMeasures, 'burstMs' | 'gapMs' | 'burstDensity' | 'gapDensity'>;

/** As a report has them: each may be unknown. */
type Reported = { readonly [K in keyof BurstMeasures]-?: BurstMeasures[K] | undefined };

/** A share of lost packets is known only with the length of what it is a share of: phones that know neither write 0 for the share. */
export function burstMeasures({ burstMs, gapMs, burstDensity, gapDensity }: Reported): BurstMeasures {
  return withoutAbsent({
    burstDensity: burstMs === undefined ? undefined : burstDensity,
    gapDensity: gapMs === undefined ? undefined : gapDensity,
    burstMs,
    gapMs,
  });
}
