const SHARDS = 256;

/** A map from text to number, split into many small maps: a large map blocks the process whenever it grows. */
export class Shards {
  private readonly maps = Array.from({ length: SHARDS }, () => new Map<string, number>());

  get(text: string): number | undefined {
    return this.mapOf(text)?.get(text);
  }

  set(text: string, value: number): void {
    this.mapOf(text)?.set(text, value);
  }

  private mapOf(text: string): Map<string, number> | undefined {
    let mixed = text.length;
    for (let at = 0; at < text.length; at++) mixed = (mixed * 31 + text.charCodeAt(at)) & 0xffff;
    return this.maps[mixed % SHARDS];
  }
}
