import { detached } from '../packet/detached.js';
import { CapturedHepStream, hepStart } from './captured-hep-stream.js';
import { SipStream } from './sip-stream.js';
import { isHttpUpgrade, isSipFrame, upgradeLength, WebSocketStream } from './web-socket-stream.js';

/** What is in one direction of a TCP connection: SIP messages, one after another or in a WebSocket, or HEP packets. Bounded. */
export class MessageStream {
  private readonly sip = new SipStream();
  private webSocket: WebSocketStream | undefined;
  private hep: CapturedHepStream | undefined;
  /** The head of HTTP that may open a WebSocket, while it is incomplete. */
  private head: Buffer | undefined;

  constructor(private readonly onCompressed: () => void) {}

  /** Whether it has something of SIP, or of HEP. */
  get isSip(): boolean {
    return this.webSocket !== undefined || this.hep !== undefined || this.sip.isSip;
  }

  *push(bytes: Buffer): Generator<Buffer> {
    if (this.webSocket) yield* this.webSocket.push(bytes);
    else if (this.hep) yield* this.hep.push(bytes);
    else if (this.sip.isSip) yield* this.sip.push(bytes);
    else if (this.head || isHttpUpgrade(bytes)) yield* this.pushHead(bytes);
    else if (isSipFrame(bytes)) yield* this.open(bytes);
    else if (hepStart(bytes) !== -1) yield* this.openHep(bytes);
    else yield* this.sip.push(bytes);
  }

  /** Bytes are missing here. Returns the beginning of the message in which they are. */
  gap(): Buffer | undefined {
    this.head = undefined;
    return (this.webSocket ?? this.hep ?? this.sip).gap();
  }

  private *openHep(bytes: Buffer): Generator<Buffer> {
    this.hep = new CapturedHepStream();
    yield* this.hep.push(bytes);
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
