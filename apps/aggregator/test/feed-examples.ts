import { partitionOfCall, type PublishedRecord, type ReadRecord } from '@ringdown/contracts/records';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { randomUUID } from 'node:crypto';

/** Documents as posted by a front end, and as published by a collector. */
export interface ExampleRecord {
  readonly callId: string;
  readonly frontEnd?: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly cseq?: number;
  readonly from?: string;
  readonly to?: string;
  /** The addresses of both. */
  readonly addresses?: readonly [string, string];
  /** More elements for its header. */
  readonly header?: string;
  /** More elements for each of the two ends. */
  readonly ends?: readonly [string, string];
}

const TEN = '2026-03-02T10:00:00.0000000Z';

export function startXml({ from = 'anna', to = 'ben', ...rest }: ExampleRecord): string {
  const [one, two] = rest.addresses ?? ['10.0.0.1', '10.0.0.2'];
  const [moreOfFrom, moreOfTo] = rest.ends ?? ['', ''];
  const [a, b] = [side(from, one) + moreOfFrom, side(to, two) + moreOfTo];
  return document(rest, direction(a, b) + direction(b, a));
}

function side(name: string, ip: string): string {
  return `<Id>${name}1</Id><EPId>${name}2</EPId><URI>sip:${name}@example.test</URI><IP>${ip}</IP><Port>50000</Port>`;
}

function direction(from: string, to: string): string {
  return `<StartOrUpdate Type="audio"><From>${from}</From><To>${to}</To><Properties><Protocol>UDP</Protocol>
     <EstimatedBandwidth Codec="PCMU/8000"><Low>97000</Low><High>161000</High></EstimatedBandwidth></Properties></StartOrUpdate>`;
}

export function endXml({ from = 'anna', to = 'ben', ...rest }: ExampleRecord): string {
  const sides = [from, to].map((name) => `<EndPoint><Id>${name}1</Id><URI>sip:${name}@example.test</URI></EndPoint>`);
  return document({ at: '2026-03-02T10:03:20.5000000Z', ...rest }, `<Ended>${sides.join('')}</Ended>`);
}

export function errorXml(record: ExampleRecord): string {
  return document(
    record,
    `<Error><EndPoint><Id>anna1</Id><URI>sip:anna@example.test</URI></EndPoint><EndPoint><URI>sip:ben@example.test</URI>
     </EndPoint><Properties><ResponseCode Code="403">Forbidden</ResponseCode>
     <VendorDiagnostics>11007;reason=not enabled;source=fe1.example.test</VendorDiagnostics></Properties></Error>`,
  );
}

export function qualityXml(record: ExampleRecord, loss: number): string {
  return reportXml(record, 'video', `<VideoPacketLossRate Limit="0.1">${loss}</VideoPacketLossRate>`);
}

/** A final report with these metrics, as elements. */
export function reportXml(record: ExampleRecord, medium: string, metrics: string): string {
  return document(
    { at: '2026-03-02T10:03:25.0000000Z', ...record },
    `<QualityUpdate Type="${medium}"><From><Id>anna1</Id><URI>sip:anna@example.test</URI></From>
     <To><Id>ben1</Id><URI>sip:ben@example.test</URI></To><Properties>${metrics}</Properties></QualityUpdate>`,
  );
}

function document(
  { callId, frontEnd = 'fe1.example.test', at = TEN, cseq, header = '' }: ExampleRecord,
  body: string,
): string {
  const sequence = cseq === undefined ? '' : `<CSEQ>${cseq}</CSEQ>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>${sequence}
    <TimeStamp>${at}</TimeStamp>${header}</ConnectionInfo>${body}</Diagnostics>`;
}

/** `receivedAt`: as if it had been received then and were replayed now. */
export function published(xml: string, receivedAt?: number): PublishedRecord {
  const message = readFeedMessage(xml, defaultProfile);
  if (message.kind !== 'record') throw new Error('not a record');
  const time = receivedAt === undefined ? { receivedAt: Date.now() } : ({ receivedAt, replayed: true } as const);
  return { id: randomUUID(), ...time, record: message.record, xml };
}

/** As read from the bus. */
export function read(xml: string, receivedAt = Date.now()): ReadRecord {
  return { ...published(xml, receivedAt), storedAt: receivedAt };
}

/** A CallId of the given partition that starts with `prefix`. */
export function callIdIn(partition: number, prefix: string): string {
  for (let n = 0; ; n++) if (partitionOfCall(`${prefix}${n}`) === partition) return `${prefix}${n}`;
}
