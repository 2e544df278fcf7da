import { PackedWriter, type PackedReader } from './packed-numbers.js';

/** The load of one minute. */
export interface MinuteLoad {
  /** From the beginning of the hour. */
  readonly minute: number;
  /** The maximum at any moment of it, as all but `begun`. */
  readonly calls: number;
  /** bit/s. */
  readonly average: number;
  readonly maximum: number;
  /** Calls that began in it. */
  readonly begun: number;
}

/**
 * One hour, which is the number of hours since 1970, as differences from minute to minute: about 9 bytes for each, and JSON takes ten times as
 * long to read. Minutes in which nothing was are left out by the caller.
 */
export function packMinutes(hour: number, minutes: readonly MinuteLoad[]): Buffer {
  const packed = new PackedWriter();
  packed.write(hour);
  packed.write(minutes.length);
  let last = { minute: 0, average: 0, maximum: 0 };
  for (const load of minutes) {
    packed.write(load.minute - last.minute);
    packed.write(load.calls);
    packed.write(load.begun);
    packed.writeSigned(load.average - last.average);
    packed.writeSigned(load.maximum - last.maximum);
    last = load;
  }
  return packed.written;
}

/** Reads one hour. `visit` gets the same object for each minute: a long period of many values has millions. */
export function forEachMinute(packed: PackedReader, visit: (hour: number, load: MinuteLoad) => void): void {
  const hour = packed.next();
  const load = { minute: 0, calls: 0, begun: 0, average: 0, maximum: 0 };
  for (let left = packed.next(); left > 0; left--) {
    load.minute += packed.next();
    load.calls = packed.next();
    load.begun = packed.next();
    load.average += packed.nextSigned();
    load.maximum += packed.nextSigned();
    visit(hour, load);
  }
}
