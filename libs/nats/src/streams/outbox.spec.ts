import { setImmediate as turn } from 'node:timers/promises';
import { Outbox } from './outbox.js';

describe('an outbox', () => {
  let outbox: Outbox;
  let sent: string[];

  beforeEach(() => {
    outbox = new Outbox();
    sent = [];
  });

  const send = (text: string): Promise<string> =>
    outbox.send(() => {
      sent.push(text);
      queueMicrotask(() => sent.push('written'));
      return text;
    });

  it('sends together what several tasks of one turn send, in their order', async () => {
    const all = [send('one'), Promise.resolve().then(() => send('two')), send('three')];
    expect(sent).toEqual([]);
    expect(await Promise.all(all)).toEqual(['one', 'two', 'three']);
    expect(sent).toEqual(['one', 'three', 'two', 'written', 'written', 'written']);
  });

  it('sends the next message in the next turn', async () => {
    await send('one');
    const next = send('two');
    expect(sent).not.toContain('two');
    await turn();
    expect([sent.includes('two'), await next]).toEqual([true, 'two']);
  });

  it('rejects what could not be sent, and sends the others', async () => {
    const failing = outbox.send(() => {
      throw new Error('draining');
    });
    const other = send('two');
    await expect(failing).rejects.toThrow('draining');
    expect(await other).toBe('two');
  });

  it('sends at once what waits when it is flushed', async () => {
    const one = send('one');
    outbox.flush();
    expect(sent).toEqual(['one']);
    expect(await one).toBe('one');
    await turn();
    expect(sent).toEqual(['one', 'written']);
  });
});
