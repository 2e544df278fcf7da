import {
  PLACE_FIELDS,
  innermostPlace,
  rowsByTshark,
  streamsByTshark,
  type Row,
  type StreamRow,
} from '@ringdown/capture/test/tshark.js';
import type { ObservedCall, ObservedStream, StreamName } from './observed-call.js';
import type { Side } from './scripted-call.js';

const FIELDS = [
  ...PLACE_FIELDS,
  'frame.time_epoch',
  'sip.Call-ID',
  'sip.CSeq.method',
  'sip.Method',
  'sip.Status-Code',
  'sip.from.addr',
  'sip.to.addr',
  'sdp.connection_info.address',
  'sdp.media.media',
  'sdp.media.port',
  'sdp.media.format',
  'sdp.media_attr',
  'rtcp.ssrc.fraction',
  'rtcp.roundtrip-delay',
] as const;
type Field = (typeof FIELDS)[number];
const ROUND_TRIPS = ['-o', 'rtcp.show_roundtrip_calculation:TRUE', '-o', 'rtcp.roundtrip_min_threshhold:0'];
const RESENT = new Set(['401', '407']);

/** One frame with the fields that tshark has found in it. */
interface Frame {
  readonly at: number;
  readonly all: Row<Field>;
  readonly first: (field: Field) => string;
}

/**
 * The calls of a capture by the fields of tshark, by Call-ID. The rules are few and read the messages in their order;
 * they share no code with the sender.
 */
export async function callsByTshark(file: string): Promise<ReadonlyMap<string, ObservedCall>> {
  const frames = (await rowsByTshark(file, 'sip || rtcp', FIELDS, ROUND_TRIPS)).map(tsharkFrame);
  const messages = Map.groupBy(
    frames.filter((frame) => frame.first('sip.Call-ID') !== ''),
    (frame) => frame.first('sip.Call-ID'),
  );
  const measured = [...(await streamsByTshark(file)).map(measuredOf), ...reportsIn(frames)];
  const calls = [...messages].filter(([, own]) => own.some(isInvite));
  return new Map(calls.map(([callId, own]) => [callId, callFromFrames(own, measured)]));
}

function tsharkFrame(all: Row<Field>): Frame {
  const first = (field: Field): string => all(field)[0] ?? '';
  return { at: Number(first('frame.time_epoch')) * 1_000, all, first };
}

function isInvite(row: Frame): boolean {
  return row.first('sip.Method') === 'INVITE';
}

function callFromFrames(rows: readonly Frame[], measured: readonly Measured[]): ObservedCall {
  const invite = rows.find(isInvite);
  const finals = rows.filter(
    (row) => row.first('sip.CSeq.method') === 'INVITE' && Number(row.first('sip.Status-Code')) >= 200,
  );
  const answer = finals.find((row) => row.first('sip.Status-Code').startsWith('2'));
  const isResent = ({ at, first }: Frame): boolean =>
    RESENT.has(first('sip.Status-Code')) && rows.some((row) => isInvite(row) && row.at > at);
  const rejection = finals.find((row) => !isResent(row));
  const bye = rows.find((row) => row.first('sip.Method') === 'BYE');
  const described = answer === undefined ? [] : rows.filter((row) => row.first('sdp.media.port') !== '');
  // The caller's descriptions come from where the invitation came from.
  const sides = new Map(
    described.flatMap((row) => {
      const side: Side = invite !== undefined && sourceOf(row) === sourceOf(invite) ? 'caller' : 'callee';
      return frameMedia(row).map(
        ({ address, isVideo }) => [address, isVideo ? (`${side} video` as const) : side] as const,
      );
    }),
  );
  const answered = described.find((row) => row.first('sip.Status-Code').startsWith('2'));
  return {
    caller: identityIn(invite?.first('sip.from.addr')),
    callee: identityIn(invite?.first('sip.to.addr')),
    outcome: answer === undefined ? (rejection?.first('sip.Status-Code') ?? 'open') : 'answered',
    startedAt: answer?.at,
    endedAt: answer === undefined ? rejection?.at : bye?.at,
    codec: answered && codecOf(answered),
    mediaAddresses: [...sides.keys()].toSorted(),
    streams: merged(measured, sides),
  };
}

/** Without parameters, which do not belong to the identity. */
function identityIn(uri = ''): string {
  return uri.split(';', 1)[0] ?? '';
}

/** Audio and video: the feed has no other media. */
function frameMedia(row: Frame): readonly { readonly address: string; readonly isVideo: boolean }[] {
  const kinds = row.all('sdp.media.media');
  return row.all('sdp.media.port').flatMap((port, n) => {
    const address = `${row.first('sdp.connection_info.address')} ${port}`;
    return kinds[n] === 'audio' || kinds[n] === 'video' ? { address, isVideo: kinds[n] === 'video' } : [];
  });
}

/** The name and clock rate of the first format, by its attribute; tshark lists the formats by name, too. */
function codecOf(row: Frame): string | undefined {
  const format = row.all('sdp.media.format').find((text) => /^\d{1,3}$/.test(text));
  const maps = row.all('sdp.media_attr').map((text) => /rtpmap:(\d{1,3}) (\S{1,60})/.exec(text));
  return maps
    .find((match) => match?.[1] === format)?.[2]
    ?.split('/')
    .slice(0, 2)
    .join('/');
}

interface Measured {
  readonly from: string;
  readonly to: string;
  readonly packets: number;
  readonly lost: number;
  /** Milliseconds. */
  readonly jitter: number;
  readonly maxJitter: number;
  /** Of a report about the stream: share, and milliseconds from the capture point to the receiver and back. */
  readonly reportedLoss?: number;
  readonly halfRoundTrip?: number | undefined;
}

/** The loss is less than none if the first packets were overtaken. */
function measuredOf({ from, to, packets, lost, meanJitter, maxJitter }: StreamRow): Measured {
  return { from, to, packets, lost: Math.max(0, lost), jitter: meanJitter, maxJitter };
}

/** RTCP goes back along a stream, from and to the odd ports above those of the stream, or its own ones (RFC 5761). */
function reportsIn(rows: readonly Frame[]): Measured[] {
  return rows
    .filter((row) => row.first('rtcp.ssrc.fraction') !== '')
    .map((row) => {
      const delay = Number(row.first('rtcp.roundtrip-delay'));
      return {
        from: streamAddressOf(row, 'dst'),
        to: streamAddressOf(row, 'src'),
        packets: 0,
        lost: 0,
        jitter: 0,
        maxJitter: 0,
        reportedLoss: Number(row.first('rtcp.ssrc.fraction')) / 256,
        halfRoundTrip: delay > 0 ? delay : undefined,
      };
    });
}

function sourceOf(row: Frame): string {
  const { ip, port } = innermostPlace(row.all, 'src');
  return `${ip} ${port}`;
}

function streamAddressOf(row: Frame, end: 'src' | 'dst'): string {
  const { ip, port } = innermostPlace(row.all, end);
  return `${ip} ${port - (port % 2)}`;
}

/** The streams that each side sent, together; of reports, the worst. */
function merged(measured: readonly Measured[], sides: ReadonlyMap<string, StreamName>): ObservedCall['streams'] {
  const own = measured.filter(({ from, to }) => sides.has(from) && sides.has(to));
  const byName = Map.groupBy(own, ({ from }) => sides.get(from) ?? 'caller');
  const half = (name: StreamName): number | undefined =>
    largest((byName.get(name) ?? []).map(({ halfRoundTrip }) => halfRoundTrip));
  const named = [...byName].map(([name, streams]) => {
    const [one, other] = name.endsWith(' video')
      ? [half('caller video'), half('callee video')]
      : [half('caller'), half('callee')];
    return [
      name,
      { ...joined(streams), roundTrip: one === undefined || other === undefined ? undefined : one + other },
    ];
  });
  return Object.fromEntries(named);
}

function joined(streams: readonly Measured[]): Omit<ObservedStream, 'roundTrip'> {
  const sum = (of: (stream: Measured) => number): number => streams.reduce((total, each) => total + of(each), 0);
  const [packets, lost] = [sum((each) => each.packets), sum((each) => each.lost)];
  return {
    loss: lost / Math.max(1, packets + lost),
    jitter: sum((each) => each.jitter * each.packets) / Math.max(1, packets),
    maxJitter: largest(streams.map(({ maxJitter }) => maxJitter)) ?? 0,
    reportedLoss: largest(streams.map(({ reportedLoss }) => reportedLoss)),
  };
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
