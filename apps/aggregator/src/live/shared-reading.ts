/**
 * Reads something for many who ask at once. Everybody gets what was read after they asked, so that nothing is missing
 * that had happened by then; those who ask while it is being read share the next reading.
 */
export class SharedReading<T> {
  private current: Promise<T> | undefined;
  private following: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    if (this.following) return this.following;
    if (!this.current) return this.start();
    const start = (): Promise<T> => this.start();
    this.following = this.current.then(start, start);
    return this.following;
  }

  private start(): Promise<T> {
    this.following = undefined;
    const reading = this.read();
    this.current = reading;
    const over = (): void => {
      if (this.current === reading) this.current = undefined;
    };
    reading.then(over, over);
    return reading;
  }
}
