export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const TERMINAL_EVERY_MS = 200;
const ELSEWHERE_EVERY_MS = 10_000;
const BAR_LENGTH = 20;

/** How far long work is: a line that is written over on a terminal, elsewhere one each ten seconds. */
export class ProgressLine {
  private spokeAt: number;
  private readonly began: number;

  constructor(
    private readonly out: ProgressOutput,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.began = now();
    this.spokeAt = this.began;
  }

  /** To be called as often as one likes. `text` is asked for when it is time for a line. */
  show(text: () => string): void {
    const every = this.out.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS;
    if (this.now() - this.spokeAt < every) return;
    this.spokeAt = this.now();
    this.out.write(this.out.isTTY ? `\r${text()} \u001B[K` : `${text()}\n`);
  }

  end(): void {
    if (this.out.isTTY) this.out.write('\r\u001B[K');
  }

  /** Of what was done since the beginning. */
  perSecond(count: number): number {
    return Math.round(count / Math.max(0.001, (this.now() - this.began) / 1_000));
  }
}

/** `share`: from 0 to 1. */
export function bar(share: number): string {
  const filled = Math.min(BAR_LENGTH, Math.round(share * BAR_LENGTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_LENGTH - filled)}]`;
}
