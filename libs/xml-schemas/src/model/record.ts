import type { CONNECTION_ROWS, FieldsOf } from '@ringdown/call-catalogue/fields';
import type { Endpoint } from './endpoint.js';
import type { Extensions } from './extensions.js';

/**
 * The typed content of one record of the diagnostics feed: docs/records.md, with the
 * fields of the later versions A, C and D of the same feed.
 *
 * Plain data that can be stored as JSON. A field that the sender left out, or left empty, is absent: in this feed
 * absent means neither zero nor bad. Times keep the sender's text (up to seven fractional digits); `epochMillis` reads
 * them.
 */
export interface DiagnosticsRecord {
  /** `Version` of the root element: `1.0`, `A`, `C`, `D`, or another text of the sender. */
  readonly version?: string;
  readonly connection: ConnectionInfo;
  /** In the order of the document. Empty in the header-only records that some senders post. */
  readonly events: readonly RecordEvent[];
  /** The outcome of the whole request in a record of A, C or D, outside of its events. */
  readonly outcome?: Outcome;
  readonly route?: readonly Hop[];
  /** SDP of the request, if the sender is configured to attach it. One SDP, or a multipart text with several. */
  readonly rawSdp?: string;
  readonly further?: Extensions;
  /** Elements whose text was too long and is cut here: `RawSDP`, `UserAgent`. The stored document is complete. */
  readonly cut?: readonly string[];
}

export interface ConnectionInfo extends FieldsOf<typeof CONNECTION_ROWS> {
  /** As written; to be compared without regard to case. Never empty. */
  readonly callId: string;
  /** `FrontEnd` (1.0) or the list `FrontEnds` (D): every front end that the sender names, without repetition. */
  readonly frontEnds: readonly string[];
  readonly pools?: readonly string[];
  /** Id of the endpoint that reported the quality. */
  readonly originator?: string;
  readonly further?: Extensions;
}

export type RecordEvent = InviteEvent | StreamEvent | EndEvent | ErrorEvent | QualityEvent;

export type RecordEventKind = RecordEvent['kind'];

/** Versions A, C and D. `lrsInvite` is the invitation of a room system. */
export interface InviteEvent {
  readonly kind: 'invite' | 'lrsInvite';
  readonly caller?: Endpoint;
  readonly callee?: Endpoint;
  readonly further?: Extensions;
}

/**
 * One direction of one media stream starts or changes. 1.0 has only `startOrUpdate`, later versions have both
 * separately.
 */
export interface StreamEvent extends Parties {
  readonly kind: 'startOrUpdate' | 'start' | 'update';
  /** Transport of the media: `UDP`, `TCP`. */
  readonly protocol?: string;
  readonly bandwidth?: Bandwidth;
  readonly codecs: readonly Codec[];
  /** SIP headers of a transferred call (D). */
  readonly referredBy?: string;
  readonly replaces?: string;
  readonly via?: readonly string[];
}

/** `ended`: streams of the call have ended. `bye` (C, D): the SIP dialog has ended. */
export interface EndEvent extends Parties, Outcome {
  readonly kind: 'ended' | 'bye';
}

export interface ErrorEvent extends Parties, Outcome {
  readonly kind: 'error';
}

/** `qualityUpdate`: report at the end of a call. `inCallQuality` (C, D): averages so far, during the call. */
export interface QualityEvent extends Parties {
  readonly kind: 'qualityUpdate' | 'inCallQuality';
  readonly codecs: readonly Codec[];
  /** The sender's own verdict (C, D): `Good`, `Poor`, `Bad`. */
  readonly streamQuality?: string;
  /** The source of that verdict. */
  readonly streamQualitySource?: string;
  /** Open list, by element name: `PacketLossRate`, `JitterInterArrival`, ... */
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly route?: readonly Hop[];
}

/** The endpoints of an event. */
export interface Parties {
  /** Attribute `Type`, lower case: `audio`, `video`, `applicationsharing`, `data`. Absent in `Ended` of 1.0. */
  readonly mediaType?: string;
  /** A stream goes from `from` to `to`. */
  readonly from?: Endpoint;
  readonly to?: Endpoint;
  /** `EndPoint` elements: parties without a direction. */
  readonly endpoints?: readonly Endpoint[];
  readonly further?: Extensions;
}

export interface Codec {
  /** `SIREN/16000`, `x-rtvc1/90000`, ... */
  readonly name: string;
  readonly payloadType?: number;
  /** Typical (`Low`, later `Bandwidth`) and highest (`High`, later `MaxBandwidth`) use in bit/s. */
  readonly low?: number;
  readonly high?: number;
}

/** Of one direction of a stream, in bit/s. Both zero: the stream is on hold. */
export interface Bandwidth {
  readonly average?: number;
  readonly maximum?: number;
  /** How many copies of the stream are transported. */
  readonly multiplexed?: number;
}

export interface Metric {
  readonly value: number | string;
  /** The sender's threshold, beside the value (1.0 and A). */
  readonly limit?: number;
}

/** The outcome of a request. */
export interface Outcome {
  readonly responseCode?: ResponseCode;
  readonly diagnostics?: VendorDiagnostics;
  readonly diagnosticsClient?: VendorDiagnostics;
  readonly diagnosticsPublic?: VendorDiagnostics;
}

/** SIP status code and reason phrase. */
export interface ResponseCode {
  readonly code?: number;
  readonly phrase?: string;
}

/** `code; key="value"; ...` */
export interface VendorDiagnostics {
  readonly code?: number;
  /** In the order of the text; keys may repeat. */
  readonly items: readonly DiagnosticsItem[];
  /** The text as sent. It may name users and hosts. */
  readonly text: string;
}

export interface DiagnosticsItem {
  readonly key: string;
  readonly value: string;
}

/** A hop of the media route as the sender writes it. */
export interface Hop {
  readonly address?: string;
  readonly rtt?: number;
}
