import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Below the ports that the system assigns to sockets without a given port. */
const LOWEST = 16_384;
const HIGHEST = 32_767;

/**
 * UDP ports of one address, for programs that are configured with a first port and use the ports after it as well. None
 * is returned twice: a program binds its ports some time after they were found to be free, or for each of its calls.
 */
export class UdpPorts {
  private next: number;

  /** Several objects start at different ports, so that they rarely conflict on a shared address. */
  constructor(private readonly host: string) {
    this.next = LOWEST + Math.floor((Math.random() * (HIGHEST - LOWEST)) / 2);
  }

  /** The first of this many consecutive ports that are not in use now. */
  async reserve(count: number): Promise<number> {
    for (;;) {
      const first = this.next;
      this.next += count;
      if (this.next > HIGHEST + 1) throw new Error(`no ${count} consecutive UDP ports are free at ${this.host}`);
      const ports = Array.from({ length: count }, (_, n) => first + n);
      const free = await Promise.all(ports.map((port) => isFree(port, this.host)));
      if (free.every(Boolean)) return first;
    }
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
    return true;
  } catch {
    // The port is in use, or this address is not a local one; then all ports fail.
    return false;
  } finally {
    socket.close();
  }
}
