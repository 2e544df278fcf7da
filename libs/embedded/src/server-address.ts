/** Where a server is that has another address each time it is started. */
export class ServerAddress {
  constructor(
    private readonly address: () => string,
    private readonly moves: Set<() => void>,
    private readonly isThere: () => boolean,
  ) {}

  /** Where it is now; while it is nowhere, an address at which no server can be. */
  get current(): string {
    return this.address();
  }

  /** Whether the server that is there is ours. */
  isUp(): boolean {
    return this.isThere();
  }

  /** Called after each change. Returns the function that ends it. */
  onMove(listener: () => void): () => void {
    this.moves.add(listener);
    return () => this.moves.delete(listener);
  }
}
