import { response } from '../../../test/sip-messages.js';
import { readSip } from '../../sip/read-sip.js';
import { EARLY_WAIT_MS, EarlyMessages } from './early-messages.js';
import type { ObservedMessage } from './observed-message.js';

function observed(callId: string, arrivedAt: number): ObservedMessage {
  return { message: readSip(response('200 OK', 'INVITE', { callId })), capturedAt: arrivedAt, arrivedAt };
}

describe('messages that wait for earlier ones', () => {
  const messages = [observed('one', 0), observed('two', 1), observed('one', 2), observed('two', 3)];
  const [first, second, third, fourth] = messages;

  function waiting(): EarlyMessages {
    const early = new EarlyMessages();
    for (const each of messages) early.add(each);
    return early;
  }

  it('are released call by call, each when it has waited long enough', () => {
    const early = waiting();
    expect(early.takeDue(EARLY_WAIT_MS - 1)).toEqual([]);
    expect(early.takeDue(EARLY_WAIT_MS + 2)).toEqual([first, third, second]);
    expect(early.takeDue(EARLY_WAIT_MS + 2)).toEqual([]);
    expect(early.takeDue(EARLY_WAIT_MS + 3)).toEqual([fourth]);
  });

  it('are released once, also when one was taken before', () => {
    const early = waiting();
    expect(early.take('one', ({ arrivedAt }) => arrivedAt > 0)).toBe(third);
    expect(early.takeDue(Number.POSITIVE_INFINITY)).toEqual([first, second, fourth]);
    expect(early.take('two', () => true)).toBeUndefined();
  });

  it('make room for others when they are released', () => {
    const early = new EarlyMessages();
    let added = 0;
    while (early.add(observed(`call-${added}`, added))) added++;
    early.takeDue(EARLY_WAIT_MS);
    expect(early.add(observed('another', added))).toBe(true);
    expect(early.add(observed('one more', added))).toBe(false);
  });
});
