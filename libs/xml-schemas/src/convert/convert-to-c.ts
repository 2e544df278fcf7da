import type { Endpoint } from '../model/endpoint.js';
import type { Extensions } from '../model/extensions.js';
import type { FieldTable } from '../model/field-table.js';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
import type {
  DiagnosticsRecord,
  Hop,
  InviteEvent,
  Parties,
  QualityEvent,
  RecordEvent,
  StreamEvent,
} from '../model/record.js';
import { pick, withoutAbsent } from '../model/values.js';

export interface VersionCOptions {
  /**
   * Also write the WiFi fields of the last release and unknown elements; receivers that validate the schema reject
   * those.
   */
  readonly extension?: boolean;
}

const CONNECTION_OF_C = tableFields(CONNECTION_FIELDS);
const ENDPOINT_OF_C = tableFields(ENDPOINT_FIELDS);
const ENDPOINT_OF_EXTENDED_C = [...tableFields(ENDPOINT_FIELDS, true), 'further'] as const;

function tableFields<T>(table: FieldTable<T>, extension = false): readonly (keyof T & string)[] {
  return table.flatMap(({ field, onlyIn }) => {
    return onlyIn === undefined || (extension && onlyIn === 'extension') ? field : [];
  });
}

/** A record of D without the fields that C does not have (diagnostics-feed.md, 2.3). */
export function toVersionC(record: DiagnosticsRecord, { extension = false }: VersionCOptions = {}): DiagnosticsRecord {
  const { connection, events, outcome, route, rawSdp, further } = record;
  const narrow = new Narrowing(extension);
  return withoutAbsent({
    version: 'C',
    connection: withoutAbsent({
      ...pick(connection, CONNECTION_OF_C),
      callId: connection.callId,
      frontEnds: [],
      originator: connection.originator,
      // D replaced the single pool by a list.
      sourcePool: connection.sourcePool ?? connection.pools?.[0],
      further: narrow.keepExtensions(connection.further),
    }),
    events: events.map((event) => narrow.event(event)),
    outcome,
    route: route && narrow.route(route),
    rawSdp,
    further: narrow.keepExtensions(further),
  });
}

class Narrowing {
  private readonly endpointFields: readonly (keyof Endpoint)[];

  constructor(private readonly extension: boolean) {
    this.endpointFields = extension ? ENDPOINT_OF_EXTENDED_C : ENDPOINT_OF_C;
  }

  event(event: RecordEvent): RecordEvent {
    switch (event.kind) {
      case 'invite':
      case 'lrsInvite':
        return this.invite(event);
      case 'startOrUpdate':
      case 'start':
      case 'update':
        return this.stream(event);
      case 'ended':
      case 'bye':
      case 'error':
        return { ...event, ...this.parties(event) };
      // The two kinds of quality report.
      default:
        return this.quality(event);
    }
  }

  route(hops: readonly Hop[]): readonly Hop[] {
    return hops.map(({ address }) => withoutAbsent({ address }));
  }

  keepExtensions(extensions: Extensions | undefined): Extensions | undefined {
    return this.extension ? extensions : undefined;
  }

  private invite({ kind, caller, callee, further }: InviteEvent): InviteEvent {
    return withoutAbsent({
      kind,
      caller: this.endpoint(caller),
      callee: this.endpoint(callee),
      further: this.keepExtensions(further),
    });
  }

  private stream(event: StreamEvent): StreamEvent {
    const { kind, protocol, bandwidth, codecs } = event;
    return withoutAbsent({
      kind,
      ...this.parties(event),
      protocol,
      bandwidth,
      codecs: codecs.map(({ name, low, high }) => withoutAbsent({ name, low, high })),
    });
  }

  private quality(event: QualityEvent): QualityEvent {
    const { kind, codecs, streamQuality, metrics, route } = event;
    return withoutAbsent({
      kind,
      ...this.parties(event),
      codecs: codecs.map(({ name, low, high }) => withoutAbsent({ name, low, high })),
      streamQuality,
      metrics,
      route: route && this.route(route),
    });
  }

  private parties({ mediaType, from, to, endpoints, further }: Parties): Parties {
    return withoutAbsent({
      mediaType,
      from: this.endpoint(from),
      to: this.endpoint(to),
      endpoints: endpoints?.flatMap((endpoint) => this.endpoint(endpoint) ?? []),
      further: this.keepExtensions(further),
    });
  }

  private endpoint(endpoint: Endpoint | undefined): Endpoint | undefined {
    return endpoint && pick(endpoint, this.endpointFields);
  }
}
