import type { EndpointFields } from './catalogue.js';
import type { Integer } from './values.js';

/**
 * Unknown elements of the record, by path: `Weather`, `Weather@Unit` (an attribute), `Weather/Rain` (a child),
 * `Weather[2]` (the second one), `@Lang` (an attribute of the element itself)
 */
export type FurtherFields = Readonly<Record<string, string>>;

/** One party of a call; what its fields mean is in the rows of the catalogue. */
export interface Endpoint extends EndpointFields {
  /** Microphone; in `parties` only, as the next three */
  readonly captureDevice?: string;
  readonly captureDeviceDriver?: string;
  /** Loudspeaker */
  readonly renderDevice?: string;
  readonly renderDeviceDriver?: string;
  /** In `parties` of calls: the site of `SITES_FILE` of its address, else of its address outside of the NAT */
  readonly site?: string;
  readonly further?: FurtherFields;
}

export type OptionalEndpoint = Endpoint | null;

export interface Codec {
  readonly name: string;
  readonly payloadType?: Integer;
  /** bit/s */
  readonly low?: number;
  /** bit/s */
  readonly high?: number;
}

export type Route = readonly {
  readonly address?: string;
  /** ms */
  readonly rtt?: number;
}[];
