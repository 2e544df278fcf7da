import { KeyedSlots } from '@ringdown/concurrency';
import { clientNetwork } from './network-of.js';

/** The part of a connection that is used here: its end. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Counts the connections of each address, so that no address can occupy a port alone. */
export class ConnectionsByAddress {
  /** By the network of a client. */
  private readonly open: KeyedSlots;

  constructor(mostOfEach: number) {
    this.open = new KeyedSlots(mostOfEach);
  }

  /** False when the address has as many as it may. The connection counts until it is closed. */
  add(connection: Closing, address: string): boolean {
    const release = this.open.acquire(clientNetwork(address));
    if (release === undefined) return false;
    connection.once('close', release);
    return true;
  }
}
