import {
  MOS_KINDS,
  possibleNumber,
  SCORE_ELEMENTS,
  type MetricName,
  type MosKind,
} from '@ringdown/call-catalogue/metrics';
import type { Codec, Metric } from '@ringdown/xml-schemas/record';
import { computedMos } from './computed-mos.js';
import { judgedMos, type JudgedMetric, type MeasuredIn } from './judged-metrics.js';
import type { ThresholdProfiles } from './thresholds.js';
import type { Measured } from './verdict.js';

/** Of the sender, and `computed` by the E-model (ITU-T G.107) from what was captured or reported of the stream. */
export type StreamMos = Readonly<Partial<Record<MosKind, JudgedMetric>>>;

/** The mean opinion scores of one stream of audio. */
export function streamMos(measured: MeasuredIn, profiles: ThresholdProfiles): StreamMos {
  const { version = 'D' } = measured;
  const found = scoresOf(measured);
  return Object.fromEntries(
    found.map(([kind, element, metric]) => [kind, judgedMos(element, metric, version, profiles)]),
  );
}

/** The one that statistics count: the first of the kinds that is possible on its scale. */
export function mosValueOf(measured: Measured): number | undefined {
  const [value] = scoresOf(measured).flatMap(([, element, metric]) => possibleNumber(element, metric) ?? []);
  return value;
}

type Score = readonly [kind: MosKind, element: string, metric: Metric];

function scoresOf(measured: Measured): readonly Score[] {
  if (measured.mediaType !== 'audio' && measured.mediaType !== null) return [];
  const own = computedFrom(measured);
  const metrics = own === undefined ? measured.metrics : { ComputedMOS: { value: own }, ...measured.metrics };
  return MOS_KINDS.flatMap((kind): readonly Score[] => {
    const numeric = SCORE_ELEMENTS[kind].filter(
      (name) => Object.hasOwn(metrics, name) && typeof metrics[name]?.value === 'number',
    );
    const element = numeric.find((name) => possibleNumber(name, metrics[name]) !== undefined) ?? numeric[0];
    const metric = element === undefined ? undefined : metrics[element];
    return element === undefined || metric === undefined ? [] : [[kind, element, metric]];
  });
}

/** Undefined without a codec of known quality, or without a report of loss: then nothing was measured. */
function computedFrom({ codecs, metrics }: Measured): number | undefined {
  const value = (name: MetricName): number | undefined => possibleNumber(name, metrics[name]);
  const codec = codecNameOf(codecs[0]);
  const lossRate = value('PacketLossRate') ?? (value('PacketUtilization') === undefined ? undefined : 0);
  if (codec === undefined || lossRate === undefined) return undefined;
  const mos = computedMos({ codec, lossRate, roundTripMs: value('RoundTrip') });
  return mos === undefined ? undefined : Number(mos.toFixed(2));
}

/** Senders of C and D may leave the clock rate out. */
function codecNameOf(codec: Codec | undefined): string | undefined {
  if (codec?.name === undefined) return undefined;
  return codec.name.includes('/') ? codec.name : `${codec.name}/8000`;
}
