import { jest } from '@jest/globals';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { AlertReceiver } from '../../alert-receivers/receivers.js';
import { AlertReceivers } from './alert-receivers.js';
import { NoticeDeliverer } from './notice-deliverer.js';

const RECEIVER = { kind: 'webhook', name: 'a', url: new URL('http://127.0.0.1:1/'), secret: 'x' } as const;

describe('the delivery of notices', () => {
  const giveUp = jest.fn(async () => 0);
  const claim = jest.fn(async () => []);

  beforeEach(() => jest.clearAllMocks());

  async function deliverAll(receivers: readonly AlertReceiver[], times: number): Promise<void> {
    const deliverer = new NoticeDeliverer({
      notices: { giveUp, claim, delivered: async () => undefined, failed: async () => undefined },
      receivers: new AlertReceivers(receivers),
      metrics: { noticed: () => undefined },
      logger: quietLogger(),
    });
    for (let time = 0; time < times; time++) await deliverer.deliverAll();
  }

  it('looks for old notices once a minute, not each time', async () => {
    await deliverAll([RECEIVER], 5);
    expect(giveUp).toHaveBeenCalledTimes(1);
    expect(claim).toHaveBeenCalledTimes(5);
    expect(claim).toHaveBeenCalledWith(['a']);
  });

  it('looks for no notices while there is no receiver', async () => {
    await deliverAll([], 1);
    expect(claim).not.toHaveBeenCalled();
  });
});
