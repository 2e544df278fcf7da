import type { TransportAddress } from '@ringdown/capture';
import type { RtpStream } from './rtp-stream.js';

interface EndedStream {
  sequence: number;
  at: number;
}

const LIMIT = 4_000;
/** A stream of the same SSRC after a longer pause is a new one: some senders use one SSRC for all calls. */
const PAUSE_MS = 2_000;
/** In either direction (RFC 3550, A.1). */
const MAX_STEP = 3_000;

/** Streams of ended calls that may still be sent: what continues one is not of the next call at the same addresses. Bounded. */
export class EndedStreams {
  private readonly streams = new Map<string, EndedStream>();

  add({ ssrc, source, destination, lastSequence, lastAt }: RtpStream): void {
    const key = endedStreamKey(ssrc, source, destination);
    this.streams.delete(key);
    this.streams.set(key, { sequence: lastSequence, at: lastAt });
    const [oldest] = this.streams.keys();
    if (this.streams.size > LIMIT && oldest !== undefined) this.streams.delete(oldest);
  }

  /** Whether a packet continues one of them. */
  continues(
    { ssrc, sequence }: { readonly ssrc: number; readonly sequence: number },
    source: TransportAddress,
    destination: TransportAddress,
    at: number,
  ): boolean {
    if (this.streams.size === 0) return false;
    const key = endedStreamKey(ssrc, source, destination);
    const ended = this.streams.get(key);
    if (ended === undefined) return false;
    const step = Math.abs(((sequence - ended.sequence) << 16) >> 16);
    if (step > MAX_STEP || Math.abs(at - ended.at) > PAUSE_MS) {
      this.streams.delete(key);
      return false;
    }
    Object.assign(ended, { sequence, at });
    return true;
  }
}

function endedStreamKey(ssrc: number, source: TransportAddress, destination: TransportAddress): string {
  return `${ssrc} ${source.ip} ${source.port} ${destination.ip} ${destination.port}`;
}
