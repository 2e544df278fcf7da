/** One complaint of a kind in a while: bad input comes by the thousands, and a log line for each would fill the disk. */
export class RepeatedComplaint {
  private readonly kinds = new Map<string, { quietUntil: number; unsaid: number }>();

  constructor(
    private readonly say: (kind: string, detail: string, times: number) => void,
    private readonly everyMs = 10_000,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  /** `kind`: one of a few; it is what is counted. */
  about(kind: string, detail: string): void {
    const known = this.kinds.get(kind) ?? { quietUntil: 0, unsaid: 0 };
    this.kinds.set(kind, known);
    known.unsaid++;
    if (this.now() < known.quietUntil) return;
    this.say(kind, detail, known.unsaid);
    known.unsaid = 0;
    known.quietUntil = this.now() + this.everyMs;
  }
}
