import { CaptureReader, PacketsInFrames } from '@ringdown/capture';
import { epochMillis } from '@ringdown/xml-schemas/fields';
import {
  isError,
  isInvite,
  isQuality,
  isStream,
  type DiagnosticsRecord,
  type Endpoint,
  type QualityEvent,
} from '@ringdown/xml-schemas/record';
import { FrontEndFeed } from '../../src/feed/front-end-feed.js';
import type { ObservedCall, ObservedStream } from './observed-call.js';

const SWEEP_MS = 1_000;

/** The calls in the records that the sender makes of a capture, by Call-ID. */
export function callsByRecords(file: Buffer): ReadonlyMap<string, ObservedCall> {
  const records = Map.groupBy(capturedRecords(file), ({ connection }) => connection.callId);
  return new Map([...records].map(([callId, own]) => [callId, callFromRecords(own)]));
}

function capturedRecords(file: Buffer): readonly DiagnosticsRecord[] {
  const records: DiagnosticsRecord[] = [];
  const feed = new FrontEndFeed({ frontEnd: 'fe', version: 'D', onRecord: (record) => records.push(record) });
  const packets = new PacketsInFrames();
  let sweptAt = 0;
  for (const frame of new CaptureReader().push(file)) {
    for (const packet of packets.add(frame)) feed.process(packet, frame.at, frame.at);
    if (frame.at - sweptAt < SWEEP_MS) continue;
    sweptAt = frame.at;
    feed.sweep(frame.at);
  }
  for (const packet of packets.end()) feed.process(packet, sweptAt, sweptAt);
  feed.finish();
  return records;
}

function callFromRecords(records: readonly DiagnosticsRecord[]): ObservedCall {
  const events = records.flatMap(({ events: own, connection }) =>
    own.map((event) => ({ event, at: epochMillis(connection.timeStamp) })),
  );
  const { caller, callee } = events.map(({ event }) => event).find(isInvite) ?? {};
  const start = events.find(({ event }) => event.kind === 'start');
  const errors = events.map(({ event }) => event).filter(isError);
  const end = events.find(({ event }) => event.kind === 'bye' || event.kind === 'error');
  const audio = start !== undefined && isStream(start.event) ? start.event : undefined;
  const streams = events.map(({ event }) => event).filter((event) => isStream(event));
  const status = errors.map(({ responseCode }) => responseCode?.code).find((code) => code !== undefined);
  return {
    caller: caller?.uri ?? '',
    callee: callee?.uri ?? '',
    outcome: start === undefined ? String(status ?? 'open') : 'answered',
    startedAt: start?.at,
    endedAt: end?.at,
    codec: audio?.codecs[0]?.name,
    mediaAddresses: [
      ...new Set(streams.flatMap(({ from, to }) => [endpointAddress(from), endpointAddress(to)].flat())),
    ].toSorted(),
    streams: observedStreamQuality(
      events.map(({ event }) => event).filter((event) => isQuality(event)),
      caller?.uri,
    ),
  };
}

function observedStreamQuality(events: readonly QualityEvent[], caller: string | undefined): ObservedCall['streams'] {
  const last = events.filter(({ kind }) => kind === 'qualityUpdate');
  return Object.fromEntries(
    last.map(({ from, mediaType, metrics }) => {
      const value = (name: string): number | undefined => numberIn(metrics[name]?.value);
      const stream: ObservedStream = {
        loss: value('CapturedPacketLossRate') ?? 0,
        jitter: value('CapturedJitter') ?? 0,
        maxJitter: value('CapturedJitterMax') ?? 0,
        reportedLoss: value('PacketLossRateMax'),
        roundTrip: value('RoundTripMax') ?? value('RoundTrip'),
      };
      const side = from?.uri === caller ? 'caller' : 'callee';
      return [mediaType === 'video' ? `${side} video` : side, stream];
    }),
  );
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function endpointAddress(endpoint: Endpoint | undefined): string | [] {
  return endpoint?.ip === undefined ? [] : `${endpoint.ip} ${endpoint.port}`;
}
