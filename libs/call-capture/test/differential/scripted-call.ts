import { type Place } from '@ringdown/capture/test/write-pcap.js';
import { request, response } from '../sip-messages.js';
import { rtcpReport, type ReportParts } from '../write-rtcp.js';
import { streamPackets, type StreamPlan } from '../write-rtp.js';

/** A datagram of a call, without the link that it was captured on. */
export interface CallPacket {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: Place;
  readonly to: Place;
  readonly bytes: Buffer;
}

export type Side = 'caller' | 'callee';

export interface MessageOptions {
  readonly cseq?: number;
  readonly body?: string;
  readonly headers?: readonly string[];
  readonly branch?: string;
  /** The device that answers, if several ring. */
  readonly device?: string;
}

/** `PCMU/8000` and its kind, by payload type, as in `a=rtpmap`. */
export type Formats = Readonly<Record<number, string>>;

export const PCMU: Formats = { 0: 'PCMU/8000' };

/** A medium beside the audio. */
export interface SecondMedium {
  readonly mediaType: 'video' | 'text';
  readonly formats: Formats;
}

export interface DescriptionOptions {
  readonly offer?: Formats;
  readonly answer?: Formats;
  /** Lines about the audio of both sides. */
  readonly attributes?: readonly string[];
  readonly second?: SecondMedium;
}

const HOSTS = {
  4: { caller: '192.0.2.10', callee: '192.0.2.20' },
  6: { caller: '2001:db8::10', callee: '2001:db8::20' },
} as const;
const SIP_PORT = 5_060;
/** Of the second medium, from the port of the audio. */
export const SECOND = 2;
const CODECS: Formats = { 0: 'PCMU/8000', 8: 'PCMA/8000' };

/** Writes the packets of one call: SIP between two devices, RTP and RTCP at ports that no other call uses. */
export class ScriptedCall {
  readonly packets: CallPacket[] = [];
  readonly callId: string;
  private readonly from: string;
  private readonly to: string;

  constructor(
    /** Different for each call of a capture. */
    readonly index: number,
    private readonly startAt: number,
    private readonly version: 4 | 6,
  ) {
    this.callId = `call-${index}@example.test`;
    this.from = `"Alice" <sip:alice${index}@example.test>;tag=a${index}`;
    this.to = `<sip:bob${index}@example.test>`;
  }

  request(after: number, by: Side, method: string, options: MessageOptions = {}): this {
    const dialog =
      method === 'CANCEL' || (method === 'INVITE' && (options.cseq ?? 1) < 10) ? this.to : this.answering(options);
    const parties =
      by === 'caller' ? { from: this.from, to: dialog } : { from: this.answering(options), to: this.from };
    return this.send(after, by, request(method, { ...this.parts(options), ...parties }));
  }

  /** `by` sends the response, to a request of the other side. */
  response(after: number, by: Side, status: string, method: string, options: MessageOptions = {}): this {
    const answering = status.startsWith('100') ? this.to : this.answering(options);
    const parties = by === 'callee' ? { from: this.from, to: answering } : { from: answering, to: this.from };
    return this.send(after, by, response(status, method, { ...this.parts(options), ...parties }));
  }

  /** A session description of one side, with audio in these formats. */
  describe(side: Side, formats: Formats = PCMU, attributes: readonly string[] = [], offset = 0): string {
    const { ip, port } = this.media(side, offset);
    const family = `IN IP${this.version}`;
    const lines = ['v=0', `o=- 1 1 ${family} ${ip}`, 's=-', `c=${family} ${ip}`, 't=0 0'];
    lines.push(...mediaLines('audio', port, formats), ...attributes);
    return `${lines.join('\r\n')}\r\n`;
  }

  /** Rings, answers and acknowledges: from 0 to 2 seconds. */
  answered({ offer = CODECS, answer = PCMU, attributes = [], second }: DescriptionOptions = {}): this {
    const body = (side: Side, formats: Formats): string =>
      this.describe(side, formats, attributes) + this.describeSecond(side, second);
    return this.request(0, 'caller', 'INVITE', { body: body('caller', offer) })
      .response(20, 'callee', '100 Trying', 'INVITE')
      .response(400, 'callee', '180 Ringing', 'INVITE')
      .response(2_000, 'callee', '200 OK', 'INVITE', { body: body('callee', answer) })
      .request(2_020, 'caller', 'ACK');
  }

  ended(after: number, by: Side): this {
    const other = by === 'caller' ? 'callee' : 'caller';
    return this.request(after, by, 'BYE', { cseq: 90 }).response(after + 20, other, '200 OK', 'BYE', { cseq: 90 });
  }

  /** One direction of the media. */
  rtp(after: number, by: Side, plan: Partial<StreamPlan> = {}, offset = 0): this {
    const [from, to] = [this.media(by, offset), this.media(by === 'caller' ? 'callee' : 'caller', offset)];
    const ssrc = this.ssrc(by) + offset;
    const full = { packets: 250, jitter: 6, ssrc, startAt: this.startAt + after, ...plan, from, to };
    for (const { at, bytes } of streamPackets(full, this.index * 2 + (by === 'caller' ? 0 : 1)))
      this.packets.push({ at, from, to, bytes });
    return this;
  }

  /** A report of this side about the stream of the other one. `offset`: of its port, zero if it is multiplexed. */
  rtcp(after: number, by: Side, parts: Omit<ReportParts, 'ssrc' | 'about'>, offset = 1): this {
    const other = by === 'caller' ? 'callee' : 'caller';
    const bytes = rtcpReport({ ssrc: this.ssrc(by), about: this.ssrc(other), ...parts });
    const [from, to] = [this.media(by, offset), this.media(other, offset)];
    this.packets.push({ at: this.startAt + after, from, to, bytes });
    return this;
  }

  /** Sends the last message again. */
  again(after: number): this {
    const last = this.packets.at(-1);
    if (last !== undefined) this.packets.push({ ...last, at: this.startAt + after });
    return this;
  }

  private describeSecond(side: Side, second: SecondMedium | undefined): string {
    if (second === undefined) return '';
    const lines = mediaLines(second.mediaType, this.media(side, SECOND).port, second.formats);
    return `${lines.join('\r\n')}\r\n`;
  }

  private send(after: number, by: Side, bytes: Buffer): this {
    const [from, to] =
      by === 'caller' ? [this.host('caller'), this.host('callee')] : [this.host('callee'), this.host('caller')];
    this.packets.push({ at: this.startAt + after, from, to, bytes });
    return this;
  }

  private parts(options: MessageOptions): MessageOptions & { readonly callId: string } {
    const branch = `z9hG4bK-${this.index}-${options.cseq ?? 1}`;
    return { branch, ...options, callId: this.callId };
  }

  private answering({ device = 'b' }: MessageOptions): string {
    return `${this.to};tag=${device}${this.index}`;
  }

  private host(side: Side): Place {
    return { ip: HOSTS[this.version][side], port: SIP_PORT };
  }

  private media(side: Side, offset: number): Place {
    return { ip: HOSTS[this.version][side], port: 10_000 + this.index * 8 + offset + (side === 'caller' ? 0 : 2_000) };
  }

  private ssrc(side: Side): number {
    return 0x10_00_00_00 + this.index * 16 + (side === 'caller' ? 0 : 8);
  }
}

function mediaLines(mediaType: string, port: number, formats: Formats): readonly string[] {
  const maps = Object.entries(formats).map(([type, name]) => `a=rtpmap:${type} ${name}`);
  return [`m=${mediaType} ${port} RTP/AVP ${Object.keys(formats).join(' ')}`, ...maps];
}
