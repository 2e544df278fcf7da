import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { MergedMeasures } from '../rtp/merged-measures.js';
import type { VoiceMeasures } from './rtcp-report.js';

/** What was seen of a stream itself, in the terms of reports. */
export function capturedMeasures(measures: MergedMeasures): VoiceMeasures {
  return withoutAbsent({
    packets: measures.received,
    lossRate: measures.lossRate,
    lossMaxRate: measures.worstLossRate,
    jitterMs: measures.jitterMs,
    jitterMaxMs: measures.jitterMaxMs,
    burstMs: measures.burstMs,
    gapMs: measures.gapMs,
    burstDensity: measures.burstDensity,
    gapDensity: measures.gapDensity,
  });
}
