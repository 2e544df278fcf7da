/** The address of a server that changes at each start. */
export class ServerAddress {
  constructor(
    private readonly address: () => string,
    private readonly moves: Set<() => void>,
    private readonly isThere: () => boolean,
  ) {}

  /** The current address; while the server does not run, an address where no server can listen. */
  get current(): string {
    return this.address();
  }

  /** Whether the running server is ours. */
  isUp(): boolean {
    return this.isThere();
  }

  /** Called after each change. Returns the function that unsubscribes. */
  onMove(listener: () => void): () => void {
    this.moves.add(listener);
    return () => this.moves.delete(listener);
  }
}
