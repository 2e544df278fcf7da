import { socketPeer } from '@ringdown/node-http';
import { isIP, type Socket } from 'node:net';

/** For version 1, including the line break, as the PROXY protocol specifies. */
const LONGEST_LINE = 107;
const LINE = /^PROXY (?:(?:TCP4|TCP6) (\S+) \S+ \d{1,5} \d{1,5}|UNKNOWN.*)$/;

/**
 * A load balancer hides the client address of a connection, unless it sends it in a first line (PROXY protocol, version
 * 1). That line is removed here, before HTTP is parsed.
 */
export class ProxyLines {
  /**
   * By the balancer's end of the connection, because with TLS requests arrive on another socket than the connected one.
   */
  private readonly addresses = new Map<string, string>();

  /** `timeoutMs`: how long the line may take to arrive. */
  constructor(private readonly timeoutMs: number) {}

  /** The client address of the connection; undefined when the balancer has not sent one. */
  addressOf(socket: Socket): string | undefined {
    return this.addresses.get(socketPeer(socket));
  }

  /** Removes the line from a connection before anything else has read from it. */
  read(socket: Socket, done: (error?: Error) => void): void {
    let received = Buffer.alloc(0);
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      socket.off('readable', read);
      done(error);
    };
    const read = (): void => {
      for (let piece: unknown = socket.read(); piece instanceof Buffer; piece = socket.read()) {
        received = Buffer.concat([received, piece]);
      }
      const end = received.indexOf('\r\n');
      if (end === -1 && received.length < LONGEST_LINE) return;
      const [line, address = ''] = LINE.exec(received.toString('latin1', 0, Math.max(end, 0))) ?? [];
      if (line === undefined || (address !== '' && isIP(address) === 0))
        return finish(new Error('the connection does not start with a valid PROXY line'));
      if (address !== '') this.remember(socket, address);
      const remaining = received.subarray(end + 2);
      if (remaining.length > 0) socket.unshift(remaining);
      finish();
    };
    const timer = setTimeout(() => finish(new Error('the PROXY line did not arrive in time')), this.timeoutMs);
    // Also for later: an error without a listener would end the process.
    const stopTimer = (): void => clearTimeout(timer);
    socket.on('readable', read).on('close', stopTimer).on('error', stopTimer);
  }

  private remember(socket: Socket, address: string): void {
    const peer = socketPeer(socket);
    this.addresses.set(peer, address);
    socket.once('close', () => this.addresses.delete(peer));
  }
}
