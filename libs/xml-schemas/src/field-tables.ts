import type { Element } from './element.js';
import type { ConnectionInfo, Endpoint, FurtherFields } from './record.js';
import { booleanOf, FurtherCollector, integerOf, numberOf, portOf, textOf } from './values.js';

/** How the text of an element becomes a value. */
const CONVERSIONS = {
  text: (text: string) => text,
  integer: integerOf,
  number: numberOf,
  port: portOf,
  boolean: booleanOf,
} as const;

type Conversion = keyof typeof CONVERSIONS;

type ConversionTo<V> = V extends string
  ? 'text'
  : V extends number
    ? 'integer' | 'number' | 'port'
    : V extends boolean
      ? 'boolean'
      : never;

/** One simple element of the feed and the field of the model that holds it. */
export type Field<T> = {
  [K in keyof T & string]-?: {
    readonly element: string;
    readonly field: K;
    readonly conversion: ConversionTo<NonNullable<T[K]>>;
  };
}[keyof T & string];

/** Fields in the order in which they are written; read in any order. */
export type FieldTable<T> = readonly Field<T>[];

export const ENDPOINT_FIELDS: FieldTable<Endpoint> = [
  { element: 'Id', field: 'id', conversion: 'text' },
  { element: 'EPId', field: 'epId', conversion: 'text' },
  { element: 'URI', field: 'uri', conversion: 'text' },
  { element: 'Contact', field: 'contact', conversion: 'text' },
  { element: 'IP', field: 'ip', conversion: 'text' },
  { element: 'Port', field: 'port', conversion: 'port' },
  { element: 'Relay', field: 'relay', conversion: 'text' },
  { element: 'RelayPort', field: 'relayPort', conversion: 'port' },
  { element: 'Inside', field: 'inside', conversion: 'boolean' },
  { element: 'VPN', field: 'vpn', conversion: 'boolean' },
  { element: 'Connection', field: 'connection', conversion: 'text' },
];

/** Without the front ends and pools, which are lists. */
export const CONNECTION_FIELDS: FieldTable<ConnectionInfo> = [
  { element: 'CallId', field: 'callId', conversion: 'text' },
  { element: 'CorrelationId', field: 'correlationId', conversion: 'text' },
  { element: 'CSEQ', field: 'cseq', conversion: 'integer' },
  { element: 'ConversationId', field: 'conversationId', conversion: 'text' },
  { element: 'ConferenceId', field: 'conferenceId', conversion: 'text' },
  { element: 'TimeStamp', field: 'timeStamp', conversion: 'text' },
  { element: 'Connectivity', field: 'connectivity', conversion: 'text' },
  { element: 'StartTime', field: 'startTime', conversion: 'text' },
  { element: 'EndTime', field: 'endTime', conversion: 'text' },
  { element: 'AppliedBandwidthLimit', field: 'appliedBandwidthLimit', conversion: 'integer' },
  { element: 'DialogCategory', field: 'dialogCategory', conversion: 'text' },
  { element: 'ConferenceURI', field: 'conferenceUri', conversion: 'text' },
  { element: 'MediaBypass', field: 'mediaBypass', conversion: 'boolean' },
];

/** Reads elements of one kind by a table; made once per kind. */
export class FieldReader<T extends { readonly further?: FurtherFields }> {
  private readonly byElement: ReadonlyMap<string, { field: string; conversion: Conversion }>;
  private readonly elsewhere: ReadonlySet<string>;

  /** `elsewhere`: children that the caller reads itself. */
  constructor(table: FieldTable<T>, elsewhere: readonly string[] = []) {
    this.byElement = new Map(table.map(({ element, field, conversion }) => [element, { field, conversion }]));
    this.elsewhere = new Set(elsewhere);
  }

  /** The first of repeated elements counts. What is unknown or does not fit its type goes to `further`. */
  read(element: Element): Partial<T> {
    const values: Record<string, unknown> = {};
    const further = new FurtherCollector();
    for (const child of element.children) {
      const known = this.byElement.get(child.name);
      if (!known) {
        if (!this.elsewhere.has(child.name)) further.add(child);
        continue;
      }
      const text = textOf(child);
      if (text === undefined || values[known.field] !== undefined) continue;
      const value = CONVERSIONS[known.conversion](text);
      if (value === undefined) further.add(child);
      else values[known.field] = value;
    }
    const rest = further.result();
    if (rest) values['further'] = rest;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type ties each field to a conversion that yields its type
    return values as Partial<T>;
  }
}
