/** Of more tokens, the use longest ago is forgotten here; the store has it to within some minutes. */
const MAX_TOKENS = 50_000;
/** The use of a token is stored at most so often: a write costs the bus more than a check. */
const STORE_MS = 10 * 60 * 1000;

interface Use {
  readonly at: number;
  /** When it was stored or tried to be stored, by this replica. */
  readonly storedAt: number;
}

/** When tokens were last used at this replica, by their hashes. */
export class Uses {
  /** In the order of their last use. */
  private readonly uses = new Map<string, Use>();

  at(hash: string): number | undefined {
    return this.uses.get(hash)?.at;
  }

  /** Notes a use. True if it should be stored: the last stored one, `storedAt`, is too long ago. */
  isStoreDue(hash: string, now: number, storedAt: number): boolean {
    const before = Math.max(this.uses.get(hash)?.storedAt ?? 0, storedAt);
    const isDue = now - before >= STORE_MS;
    this.uses.delete(hash);
    this.uses.set(hash, { at: now, storedAt: isDue ? now : before });
    const [leastRecent] = this.uses.keys();
    if (leastRecent !== undefined && this.uses.size > MAX_TOKENS) this.uses.delete(leastRecent);
    return isDue;
  }
}
