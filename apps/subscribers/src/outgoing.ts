import type { PublishedRecord } from '@ringdown/contracts/records';
import { isUploadFeed } from '@ringdown/contracts/uploads';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { convertRecord, writeRecord } from '@ringdown/xml-schemas';
import {
  eventEndpoints,
  isError,
  isInvite,
  isQuality,
  type DiagnosticsRecord,
  type RecordEvent,
} from '@ringdown/xml-schemas/record';
import { SubscriptionFilter } from './subscription-filter.js';
import type { ChangedCall } from './changed-calls.js';
import type { SubscriberSettings } from './subscription.js';

/** One request to a subscriber. */
export interface OutgoingRequest {
  /** Requests with the same key are sent in order. */
  readonly callKey: string;
  readonly contentType: string;
  readonly body: string;
}

/** One record or call of a bus message, and the requests for it. */
export interface OutgoingItem {
  readonly callId: string;
  /** As received. */
  readonly content: unknown;
  outgoing(): readonly OutgoingRequest[];
}

/** Makes the requests for one subscriber from bus messages: filtered, users hidden, in the version of the subscriber. */
export class OutgoingWriter {
  private readonly filter: SubscriptionFilter;

  constructor(
    private readonly subscription: SubscriberSettings,
    private readonly profile: VendorProfile,
    /** Undefined if users are shown. */
    private readonly hiding: IdentityHiding | undefined,
  ) {
    this.filter = new SubscriptionFilter(subscription);
  }

  /** None, one or several, because 1.0 has one kind of activity per record. */
  fromRecord({ record }: PublishedRecord): readonly OutgoingRequest[] {
    // An operator may have made them up; subscribers are told what front ends report.
    if (record.connection.frontEnds.some(isUploadFeed)) return [];
    const callKey = record.connection.callId.toLowerCase();
    if (!this.filter.passes(callKey, record.events.flatMap(eventEndpoints))) return [];
    const wanted = this.selected(record);
    if (wanted === undefined) return [];
    const shown = this.hiding?.data(wanted) ?? wanted;
    const { outputschema, schemaextension } = this.subscription;
    return convertRecord(shown, outputschema, { extension: schemaextension === 'true' }).map((converted) => {
      return { callKey, contentType: 'text/xml; charset=utf-8', body: writeRecord(converted, this.profile) };
    });
  }

  fromCall(call: ChangedCall): readonly OutgoingRequest[] {
    if (call.feeds?.some(isUploadFeed) === true) return [];
    const callKey = call.callId.toLowerCase();
    if (!this.filter.passes(callKey, identifiedParties(call))) return [];
    const shown = this.hiding?.data(call) ?? call;
    return [{ callKey, contentType: 'application/json', body: JSON.stringify(shown) }];
  }

  /** The wanted events of a record; undefined if there are none. */
  private selected(record: DiagnosticsRecord): DiagnosticsRecord | undefined {
    const events = record.events.filter((event) => this.wants(event));
    if (record.events.length > 0 && events.length === 0) return undefined;
    const { rawSdp, ...rest } = record;
    const withSdp = this.subscription.sendrawsdp === 'true' && rawSdp !== undefined;
    return { ...rest, events, ...(withSdp ? { rawSdp } : {}) };
  }

  private wants(event: RecordEvent): boolean {
    const { quality, signaling, outputschema } = this.subscription;
    if (isQuality(event)) return quality === 'true';
    if (signaling === 'true') return true;
    // In 1.0 it is not signalling: it becomes the `Ended` of the call.
    if (event.kind === 'bye') return outputschema === '1.0';
    return !(isInvite(event) || isError(event));
  }
}

/** Users are in the parties of a call, and media addresses in its streams. */
function identifiedParties({ parties, streams }: ChangedCall): ChangedCall['parties'] {
  return [...parties, ...streams.flatMap(({ from, to }) => [from, to]).filter((party) => party !== null)];
}
