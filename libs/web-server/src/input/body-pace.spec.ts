import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pacedChunks } from './body-pace.js';

const pace = { bytes: 100, periodMs: 100 };

async function lengthOf(body: Readable): Promise<number> {
  let length = 0;
  for await (const chunk of pacedChunks(body, pace)) length += chunk.length;
  return length;
}

describe('a body that is read at its own pace', () => {
  it('may take many periods', async () => {
    const body = new PassThrough();
    const length = lengthOf(body);
    for (let n = 0; n < 10; n++) {
      body.write(Buffer.alloc(200));
      await pause(40);
    }
    body.end();
    expect(await length).toBe(2_000);
  });

  it.each([0, 98])('is rejected if only %d bytes arrive in a period, and can still be answered', async (bytes) => {
    const body = new PassThrough();
    body.write(Buffer.alloc(1 + bytes));
    await expect(lengthOf(body)).rejects.toMatchObject({ kind: 'timeout' });
    expect(body.destroyed).toBe(false);
  });

  it('is rejected if it is cut off', async () => {
    const body = new PassThrough();
    body.write(Buffer.alloc(500));
    body.destroy(new Error('reset'));
    await expect(lengthOf(body)).rejects.toMatchObject({ kind: 'unreadable-body' });
  });
});
