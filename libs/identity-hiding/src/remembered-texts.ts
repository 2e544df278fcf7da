/** A cache of converted texts, the oldest first: the same few texts occur again and again. */
export class RememberedTexts {
  private readonly made = new Map<string, string>();

  /** Texts longer than `length` are not cached. */
  constructor(
    private readonly texts: number,
    private readonly length: number,
  ) {}

  /** The result of `make`, or the cached one. */
  get(text: string, make: () => string): string {
    if (text.length > this.length) return make();
    const known = this.made.get(text);
    if (known !== undefined) return known;
    const result = make();
    if (this.made.size >= this.texts) this.forgetOldest();
    this.made.set(text, result);
    return result;
  }

  private forgetOldest(): void {
    const [oldest] = this.made.keys();
    if (oldest !== undefined) this.made.delete(oldest);
  }
}
