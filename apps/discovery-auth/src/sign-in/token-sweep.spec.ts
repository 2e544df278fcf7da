import { quietLogger } from '@ringdown/testing/quiet-logger';
import { TokenSweep } from './token-sweep.js';
import type { StoredToken } from './stored-token.js';

const token: StoredToken = { username: 'alice@example.test', issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER };

describe('the sweep of tokens after a change of people', () => {
  it('revokes the other tokens when one cannot be revoked', async () => {
    const ended: string[] = [];
    let change = (): void => undefined;
    const sweep = new TokenSweep({
      bucket: {
        follow: (_logger, note) => {
          for (const hash of ['first', 'stuck', 'last']) note(hash, token, true, 1);
          return () => undefined;
        },
        lastRevision: () => Promise.resolve(1),
      },
      directory: {
        onChange: (listener) => {
          change = (): void => listener({} as never);
          return () => undefined;
        },
      },
      logger: quietLogger(),
      isValid: () => Promise.resolve(false),
      revoke: (hash) => {
        ended.push(hash);
        return hash === 'stuck' ? Promise.reject(new Error('no bus')) : Promise.resolve();
      },
    });
    change();
    while (ended.length < 3) await new Promise(setImmediate);
    expect(ended).toEqual(['first', 'stuck', 'last']);
    sweep.close();
  });
});
