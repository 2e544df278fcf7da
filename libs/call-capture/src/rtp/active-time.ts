/** A step of the capture clock this large is a pause of the stream if its time stamps agree, and a jump of the clock otherwise. */
const JUMP_MS = 3_000;

/** How long a stream lasted by the times of its packets; jumps of the capture clock, in either direction, do not count. */
export class ActiveTime {
  private elapsed = 0;
  private longest = 0;

  constructor(private lastAt: number) {}

  /** Milliseconds. */
  get ms(): number {
    return this.longest;
  }

  /** `mediaStep`: by the time stamps, milliseconds since the packet before; undefined if the clock rate is unknown. */
  add(at: number, mediaStep: number | undefined): void {
    const step = at - this.lastAt;
    this.lastAt = at;
    this.elapsed += isPlausible(step, mediaStep) ? step : Math.min(Math.max(0, mediaStep ?? 0), JUMP_MS);
    this.longest = Math.max(this.longest, this.elapsed);
  }
}

function isPlausible(step: number, mediaStep: number | undefined): boolean {
  return Math.abs(step) < JUMP_MS || (mediaStep !== undefined && Math.abs(step - mediaStep) < JUMP_MS);
}
