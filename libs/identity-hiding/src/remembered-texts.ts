/** What was made of texts lately, the oldest first: the same few come again and again. */
export class RememberedTexts {
  private readonly made = new Map<string, string>();

  /** Longer texts than `length` are not remembered. */
  constructor(
    private readonly texts: number,
    private readonly length: number,
  ) {}

  /** What `make` makes of it, or has made of it before. */
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
