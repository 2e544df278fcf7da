import {
  FIRST_DYNAMIC,
  payloadFormat,
  isComfortNoise,
  isSampleCodec,
  isTelephoneEvent,
  type PayloadFormat,
} from './payload-types.js';

/** `samples`: G.711, one byte for each sample. */
export type PayloadKind = 'samples' | 'media' | 'comfort noise' | 'event';

/** The payload of a key press without redundancy (RFC 4733, 2.3), which no codec in use has. */
const EVENT_LENGTH = 4;
/** Of the 128 possible ones; a stream that uses more is not a call. */
const TYPES_LIMIT = 16;

interface SeenType {
  readonly kind: PayloadKind;
  packets: number;
}

/** The payload types of one stream, and what they carry. */
export class PayloadTypesSeen {
  private readonly seen = new Map<number, SeenType>();
  private described: ReadonlyMap<number, PayloadFormat> | undefined;
  private lastType = -1;
  private last: SeenType | undefined;

  /** Payload types that were seen before keep their kind. */
  describe(formats: ReadonlyMap<number, PayloadFormat>): void {
    this.described = formats;
  }

  /** `length`: of the payload. */
  add(payloadType: number, length: number): PayloadKind {
    if (payloadType !== this.lastType || !this.last) {
      this.lastType = payloadType;
      this.last = this.typeOf(payloadType, length);
    }
    this.last.packets++;
    return this.last.kind;
  }

  /** Of most packets; comfort noise and key presses only if there is nothing else. */
  get main(): number {
    const all = [...this.seen];
    const media = all.filter(([, { kind }]) => kind === 'media' || kind === 'samples');
    const [payloadType] = (media.length > 0 ? media : all).reduce((most, each) =>
      each[1].packets > most[1].packets ? each : most,
    );
    return payloadType;
  }

  get measures(): {
    readonly codec: PayloadFormat | undefined;
    readonly payloadType: number;
    readonly comfortNoisePackets: number;
    readonly eventPackets: number;
  } {
    const all = [...this.seen];
    const count = (kind: PayloadKind): number =>
      all.reduce((sum, [, each]) => sum + (each.kind === kind ? each.packets : 0), 0);
    const payloadType = this.main;
    return {
      codec: payloadFormat(payloadType, this.described),
      payloadType,
      comfortNoisePackets: count('comfort noise'),
      eventPackets: count('event'),
    };
  }

  private typeOf(payloadType: number, length: number): SeenType {
    const known = this.seen.get(payloadType);
    if (known) return known;
    const type = { kind: this.kindOf(payloadType, length), packets: 0 };
    if (this.seen.size < TYPES_LIMIT) this.seen.set(payloadType, type);
    return type;
  }

  private kindOf(payloadType: number, length: number): PayloadKind {
    const format = payloadFormat(payloadType, this.described);
    if (!format) return payloadType >= FIRST_DYNAMIC && length === EVENT_LENGTH ? 'event' : 'media';
    if (isComfortNoise(format)) return 'comfort noise';
    if (isTelephoneEvent(format)) return 'event';
    return isSampleCodec(format) ? 'samples' : 'media';
  }
}
