export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const TERMINAL_EVERY_MS = 200;
const ELSEWHERE_EVERY_MS = 10_000;
const BAR_LENGTH = 20;

/** Shows the progress of long work: one line that is rewritten on a terminal, elsewhere a line every ten seconds. */
export class ProgressLine {
  private writtenAt: number;
  private readonly began: number;

  constructor(
    private readonly out: ProgressOutput,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.began = now();
    this.writtenAt = this.began;
  }

  /** May be called at any rate. `text` is called only when a line is due. */
  show(text: () => string): void {
    const every = this.out.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS;
    if (this.now() - this.writtenAt < every) return;
    this.writtenAt = this.now();
    this.out.write(this.out.isTTY ? `\r${text()} \u001B[K` : `${text()}\n`);
  }

  end(): void {
    if (this.out.isTTY) this.out.write('\r\u001B[K');
  }

  /** The average rate since the beginning. */
  perSecond(count: number): number {
    return Math.round(count / Math.max(0.001, (this.now() - this.began) / 1_000));
  }
}

/** `share`: from 0 to 1. */
export function bar(share: number): string {
  const filled = Math.min(BAR_LENGTH, Math.round(share * BAR_LENGTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_LENGTH - filled)}]`;
}
