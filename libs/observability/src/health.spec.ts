import { Health } from './health.js';

describe('the readiness of a service', () => {
  it('fails with a part that it needs, and not with one that only limits it', async () => {
    const health = new Health();
    let isBroken = false;
    health.add('database', () => undefined);
    health.addLimiting('database writes', () => {
      throw new Error('a standby');
    });
    health.add('bus', () => {
      if (isBroken) throw new Error('no connection');
    });
    const parts = { database: 'ok', 'database writes': 'a standby', bus: 'ok' };
    expect(await health.report()).toEqual({ ready: true, parts, limited: ['database writes'] });
    isBroken = true;
    expect(await health.report()).toEqual({
      ready: false,
      parts: { ...parts, bus: 'no connection' },
      limited: ['database writes'],
    });
  });

  it('is reported although a part does not answer, which is not asked again meanwhile', async () => {
    const health = new Health();
    let asked = 0;
    health.add('database', () => {
      asked++;
      return new Promise(() => undefined);
    });
    const reports = await Promise.all([health.report(), health.report()]);
    expect(reports.map(({ parts }) => parts['database'])).toEqual(['no answer within 4 s', 'no answer within 4 s']);
    expect(asked).toBe(1);
  }, 10_000);
});
