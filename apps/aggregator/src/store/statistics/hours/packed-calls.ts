import { PackedWriter, type PackedReader } from './packed-numbers.js';

/** What a call adds to the load. Times are milliseconds since 1970. */
export interface CallLoad {
  readonly began: number;
  /** Undefined: it is in progress. */
  readonly until: number | undefined;
  readonly streams: readonly StreamLoad[];
}

export interface StreamLoad {
  readonly from: number;
  /** Undefined: as long as its call. */
  readonly until: number | undefined;
  /** bit/s, whole numbers. */
  readonly average: number;
  readonly maximum: number;
  /** Numbers of facts. */
  readonly sites: readonly number[];
}

/** As times since the call began: about 20 bytes for a stream. */
export function packCall({ began, until, streams }: CallLoad): Buffer {
  const packed = new PackedWriter();
  const writeUntil = (time: number | undefined): void =>
    packed.write(time === undefined ? 0 : Math.max(time - began, 0) + 1);
  packed.write(began);
  writeUntil(until);
  packed.write(streams.length);
  for (const stream of streams) {
    packed.write(Math.max(stream.from - began, 0));
    writeUntil(stream.until);
    packed.write(stream.average);
    packed.write(stream.maximum);
    packed.write(stream.sites.length);
    for (const site of stream.sites) packed.write(site);
  }
  return packed.written;
}

/** A call in progress lasts until `now`. */
export function readCall(packed: PackedReader, now: number): CallLoad & { readonly until: number } {
  const began = packed.next();
  const readUntil = (): number | undefined => {
    const time = packed.next();
    return time === 0 ? undefined : began + time - 1;
  };
  const until = readUntil() ?? now;
  const streams: StreamLoad[] = [];
  for (let left = packed.next(); left > 0; left--) {
    const from = began + packed.next();
    const streamUntil = readUntil();
    const [average, maximum] = [packed.next(), packed.next()];
    const sites: number[] = [];
    for (let more = packed.next(); more > 0; more--) sites.push(packed.next());
    streams.push({ from, until: streamUntil, average, maximum, sites });
  }
  return { began, until, streams };
}
