import { detached } from '../packet/detached.js';
import { SipStream } from './sip-stream.js';
import { isHttpUpgrade, isSipFrame, upgradeLength, WebSocketStream } from './web-socket-stream.js';

/** The SIP messages in one direction of a TCP connection: one after another, or in a WebSocket. Bounded. */
export class MessageStream {
  private readonly sip = new SipStream();
  private webSocket: WebSocketStream | undefined;
  /** The head of HTTP that may open a WebSocket, while it is incomplete. */
  private head: Buffer | undefined;

  constructor(private readonly onCompressed: () => void) {}

  /** Whether it has something of SIP. */
  get isSip(): boolean {
    return this.webSocket !== undefined || this.sip.isSip;
  }

  *push(bytes: Buffer): Generator<Buffer> {
    if (this.webSocket) yield* this.webSocket.push(bytes);
    else if (this.sip.isSip) yield* this.sip.push(bytes);
    else if (this.head || isHttpUpgrade(bytes)) yield* this.pushHead(bytes);
    else if (isSipFrame(bytes)) yield* this.open(bytes);
    else yield* this.sip.push(bytes);
  }

  /** Bytes are missing here. Returns the beginning of the message in which they are. */
  gap(): Buffer | undefined {
    this.head = undefined;
    return (this.webSocket ?? this.sip).gap();
  }

  private *pushHead(bytes: Buffer): Generator<Buffer> {
    const head: Buffer = this.head ? Buffer.concat([this.head, bytes]) : bytes;
    const length = upgradeLength(head);
    this.head = length === 'unknown' ? detached(head) : undefined;
    if (typeof length === 'number') yield* this.open(head.subarray(length));
  }

  private *open(bytes: Buffer): Generator<Buffer> {
    this.webSocket = new WebSocketStream(this.onCompressed);
    yield* this.webSocket.push(bytes);
  }
}
