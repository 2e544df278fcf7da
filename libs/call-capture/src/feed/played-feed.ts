import type { CapturedPacket } from '@ringdown/capture';
import { FrontEndFeed } from './front-end-feed.js';

/** In time of the capture. */
const SWEEP_MS = 1_000;

/** Makes records of packets that were captured before: their times are the clock. */
export class PlayedFeed extends FrontEndFeed {
  private sweptAt = 0;

  /** `at`: milliseconds since 1970. */
  play(packet: CapturedPacket, at: number): void {
    this.process(packet, at, at);
    if (at - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = at;
    this.sweep(at);
  }
}
