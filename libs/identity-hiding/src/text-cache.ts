/** A cache of converted texts, the oldest first: the same few texts occur again and again. */
export class TextCache {
  private readonly entries = new Map<string, string>();

  /** Texts longer than `length` are not cached. */
  constructor(
    private readonly texts: number,
    private readonly length: number,
  ) {}

  /** The result of `make`, or the cached one. */
  get(text: string, make: () => string): string {
    if (text.length > this.length) return make();
    const known = this.entries.get(text);
    if (known !== undefined) return known;
    const result = make();
    if (this.entries.size >= this.texts) this.evictOldest();
    this.entries.set(text, result);
    return result;
  }

  private evictOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
