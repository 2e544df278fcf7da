import type { PublishedRecord } from '@ringdown/contracts';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { VendorProfile } from '@ringdown/vendor-profile';
import {
  convertRecord,
  endpointsOf,
  isError,
  isInvite,
  isQuality,
  writeRecord,
  type DiagnosticsRecord,
  type RecordEvent,
} from '@ringdown/xml-schemas';
import { SubscriptionFilter } from './subscription-filter.js';
import type { ChangedCall } from './changed-calls.js';
import type { Subscription } from './subscription.js';

/** One request to a subscriber. */
export interface Outgoing {
  /** Requests about one call leave in their order. */
  readonly callKey: string;
  readonly contentType: string;
  readonly body: string;
}

/** One record or call of a message of the bus, and what a subscriber gets of it. */
export interface Item {
  readonly callId: string;
  /** As it came. */
  readonly content: unknown;
  outgoing(): readonly Outgoing[];
}

/** Makes of what comes over the bus what one subscriber gets: filtered, hidden, in the version it understands. */
export class OutgoingWriter {
  private readonly filter: SubscriptionFilter;

  constructor(
    private readonly subscription: Subscription,
    private readonly profile: VendorProfile,
    /** Undefined where users are shown. */
    private readonly hiding: IdentityHiding | undefined,
  ) {
    this.filter = new SubscriptionFilter(subscription);
  }

  /** None, one or several: 1.0 has one kind of activity a record. */
  fromRecord({ record }: PublishedRecord): readonly Outgoing[] {
    const callKey = record.connection.callId.toLowerCase();
    if (!this.filter.passes(callKey, record.events.flatMap(endpointsOf))) return [];
    const wanted = this.onlyWanted(record);
    if (wanted === undefined) return [];
    const shown = this.hiding?.data(wanted) ?? wanted;
    const { outputschema, schemaextension } = this.subscription;
    return convertRecord(shown, outputschema, { extension: schemaextension === 'true' }).map((converted) => {
      return { callKey, contentType: 'text/xml; charset=utf-8', body: writeRecord(converted, this.profile) };
    });
  }

  fromCall(call: ChangedCall): readonly Outgoing[] {
    const callKey = call.callId.toLowerCase();
    if (!this.filter.passes(callKey, partiesOf(call))) return [];
    const shown = this.hiding?.data(call) ?? call;
    return [{ callKey, contentType: 'application/json', body: JSON.stringify(shown) }];
  }

  /** Undefined when nothing of it is. */
  private onlyWanted(record: DiagnosticsRecord): DiagnosticsRecord | undefined {
    const events = record.events.filter((event) => this.wants(event));
    if (record.events.length > 0 && events.length === 0) return undefined;
    const { rawSdp, ...rest } = record;
    const withSdp = this.subscription.sendrawsdp === 'true' && rawSdp !== undefined;
    return { ...rest, events, ...(withSdp ? { rawSdp } : {}) };
  }

  private wants(event: RecordEvent): boolean {
    const { quality, signaling } = this.subscription;
    if (isQuality(event)) return quality === 'true';
    return signaling === 'true' || !(isInvite(event) || isError(event) || event.kind === 'bye');
  }
}

/** A call has the users in its table of parties, and the addresses of its media with its streams. */
function partiesOf({ parties, streams }: ChangedCall): ChangedCall['parties'] {
  return [...parties, ...streams.flatMap(({ from, to }) => [from, to]).filter((party) => party !== null)];
}
