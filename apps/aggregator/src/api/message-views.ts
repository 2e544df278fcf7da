import type { IdentityHiding } from '@ringdown/identity-hiding';
import { setImmediate } from 'node:timers/promises';
import type { CallMessage, CapturePoint, MessageAddress } from '../traces/call-message.js';

/** A message as the interface shows it. */
export interface MessageItem {
  readonly id: string;
  readonly callId: string;
  /** With microseconds. */
  readonly at: string;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly content: CallMessage['content'];
  /** Of SIP. */
  readonly text: string | null;
  /** Of RTCP: base64. */
  readonly bytes: string | null;
  readonly points: readonly (Omit<CapturePoint, 'at'> & { readonly at: string })[];
}

/** How long messages are hidden before other tasks run. */
const TURN_MS = 5;

/** What an operator sees of messages. */
export class MessageViews {
  constructor(private readonly hiding: Pick<IdentityHiding, 'sipMessage' | 'rtcp' | 'field'>) {}

  /** Messages for an operator with or without access to users. Other tasks run while they are prepared. */
  async of(messages: readonly CallMessage[], isShown: boolean): Promise<readonly CallMessage[]> {
    if (isShown) return messages;
    const hidden: CallMessage[] = [];
    let began = performance.now();
    for (const message of messages) {
      hidden.push(this.hidden(message));
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return hidden;
  }

  private hidden(message: CallMessage): CallMessage {
    const { hiding } = this;
    const payload =
      message.content === 'sip'
        ? Buffer.from(hiding.sipMessage(message.payload.toString('utf8')))
        : hiding.rtcp(message.payload);
    const machine = (name: string): string => hiding.field(name, 'frontEnd');
    return {
      ...message,
      callId: hiding.field(message.callId, 'callId'),
      payload,
      points: message.points.map(({ frontEnd, name, at }) => ({
        frontEnd: machine(frontEnd),
        name: name === null ? null : machine(name),
        at,
      })),
    };
  }
}

export function itemOf({ payload, at, points, ...message }: CallMessage): MessageItem {
  const isSip = message.content === 'sip';
  return {
    ...message,
    at: timeText(at),
    text: isSip ? payload.toString('utf8') : null,
    bytes: isSip ? null : payload.toString('base64'),
    points: points.map((point) => ({ ...point, at: timeText(point.at) })),
  };
}

/** ISO 8601 with microseconds. */
export function timeText(microseconds: number): string {
  const rest = String(microseconds % 1_000).padStart(3, '0');
  return new Date(Math.floor(microseconds / 1_000)).toISOString().replace('Z', `${rest}Z`);
}
