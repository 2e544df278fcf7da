import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Below the ports that the system gives to sockets that ask for none. */
const LOWEST = 16_384;
const HIGHEST = 32_767;

/**
 * UDP ports of one address, for programs that are told where to listen, and that take the ports after it as well. None is
 * given twice: a program binds its ports some time after they were found to be free, or with each of its calls.
 */
export class UdpPorts {
  private next: number;

  /** Those of several objects start at different places, so that they seldom meet at a shared address. */
  constructor(private readonly host: string) {
    this.next = LOWEST + Math.floor((Math.random() * (HIGHEST - LOWEST)) / 2);
  }

  /** The first of so many ports in a row that nobody uses right now. */
  async take(count: number): Promise<number> {
    for (;;) {
      const first = this.next;
      this.next += count;
      if (this.next > HIGHEST + 1) throw new Error(`no ${count} UDP ports in a row are left at ${this.host}`);
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
    // Somebody has it, or this address is none of ours; then all are taken.
    return false;
  } finally {
    socket.close();
  }
}
