import type { IdentityHiding } from '@ringdown/identity-hiding';
import { setImmediate } from 'node:timers/promises';
import type { CallMessage } from './call-message.js';

/** How long messages are hidden before other tasks run. */
const TURN_MS = 5;

/** What an operator sees of messages. */
export class MessageViews {
  constructor(private readonly hiding: Pick<IdentityHiding, 'sipMessage' | 'rtcp' | 'field' | 'token'>) {}

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
      // A digest of the captured bytes: a reader who knows the rest of a message could try names until one fits.
      id: hiding.token(message.id),
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
