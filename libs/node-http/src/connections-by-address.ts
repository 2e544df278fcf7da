import { clientNetwork } from './network-of.js';

/** The part of a connection that is used here: its end. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Counts the connections of each address, so that no address can occupy a port alone. */
export class ConnectionsByAddress {
  /** By the network of a client; an entry is removed with its last connection. */
  private readonly open = new Map<string, number>();

  constructor(private readonly mostOfEach: number) {}

  /** False when the address has as many as it may. The connection counts until it is closed. */
  add(connection: Closing, address: string): boolean {
    const network = clientNetwork(address);
    const count = this.open.get(network) ?? 0;
    if (count >= this.mostOfEach) return false;
    this.open.set(network, count + 1);
    connection.once('close', () => this.remove(network));
    return true;
  }

  private remove(network: string): void {
    const count = this.open.get(network) ?? 0;
    if (count > 1) this.open.set(network, count - 1);
    else this.open.delete(network);
  }
}
