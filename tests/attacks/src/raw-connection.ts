import type { Socket } from 'node:net';

/** A connection on which an attack sends exactly the bytes that it wants. */
export abstract class RawConnection {
  received = '';
  isClosed = false;
  /** The time from its opening to its end. */
  openMs = Number.POSITIVE_INFINITY;
  private readonly openedAt = performance.now();

  protected constructor(protected readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    const closed = (): void => {
      if (!this.isClosed) this.openMs = performance.now() - this.openedAt;
      this.isClosed = true;
    };
    socket.on('close', closed).on('error', closed);
  }

  end(): void {
    this.socket.destroy();
  }
}
