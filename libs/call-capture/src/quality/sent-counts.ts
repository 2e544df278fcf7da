/** What a stream has sent, by its own sender reports. */
interface Sent {
  /** Before its count began again. */
  before: number;
  packets: number;
  at: number;
  readonly firstAt: number;
  /** A leap that the next report may confirm. */
  leap: number | undefined;
}

const STREAM_LIMIT = 16;
/** More at once is not a count: the encrypted bytes of SRTCP. */
const FASTEST = 3_000;
const SLACK = 10_000;
/** Streams of hours have more only if the next report agrees. */
const PROVEN = 2_000_000;

/** How many packets the sender of a medium has sent so far, by its reports (RFC 3550, 6.4.1), of each of its streams. */
export class SentCounts {
  private readonly streams = new Map<number, Sent>();

  /** `at`: capture time, milliseconds. */
  add(ssrc: number, packets: number, at: number): void {
    const known = this.streams.get(ssrc);
    if (known === undefined) {
      const leap = packets > PROVEN ? packets : undefined;
      this.streams.set(ssrc, { before: 0, packets: leap === undefined ? packets : 0, at, firstAt: at, leap });
      const [oldest] = this.streams.keys();
      if (this.streams.size > STREAM_LIMIT && oldest !== undefined) this.streams.delete(oldest);
      return;
    }
    const most = SLACK + (FASTEST * Math.max(0, at - known.at)) / 1_000;
    const isNext = (from: number): boolean => packets >= from && packets - from <= most;
    if (isNext(known.packets)) this.update(known, packets, at);
    else if (known.leap !== undefined && isNext(known.leap)) this.update(known, packets, at);
    // A copy of an older report, or a sender that counts from the beginning again.
    else if (packets < known.packets && packets < most && known.packets > 2 * SLACK) this.restart(known, packets, at);
    else if (packets > known.packets) known.leap = packets;
  }

  of(ssrc: number | undefined): { readonly sent: number; readonly sentAt: number } | undefined {
    const known = ssrc === undefined ? undefined : this.streams.get(ssrc);
    return known && known.packets > 0 ? { sent: known.before + known.packets, sentAt: known.at } : undefined;
  }

  /** Of all streams, one after another. A relay may show the same stream with two SSRCs at a time: the larger one counts. */
  get total(): { readonly sent: number; readonly sentAt: number } | undefined {
    const known = [...this.streams.values()]
      .filter(({ packets }) => packets > 0)
      .toSorted((a, b) => a.firstAt - b.firstAt);
    if (known.length === 0) return undefined;
    let [sent, current, until] = [0, 0, -Infinity];
    for (const { before, packets, firstAt, at } of known) {
      const count = before + packets;
      if (firstAt >= until) [sent, current] = [sent + current, count];
      else current = Math.max(current, count);
      until = Math.max(until, at);
    }
    return { sent: sent + current, sentAt: until };
  }

  private update(known: Sent, packets: number, at: number): void {
    known.packets = packets;
    known.at = Math.max(known.at, at);
    known.leap = undefined;
  }

  private restart(known: Sent, packets: number, at: number): void {
    known.before += known.packets;
    this.update(known, packets, at);
  }
}
