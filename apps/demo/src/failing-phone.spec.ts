import { FailingPhone } from './failing-phone.js';

describe('the phone that cannot register', () => {
  it('fails at once, and again each twenty seconds', () => {
    const failed: object[] = [];
    const phone = new FailingPhone((failure) => failed.push(failure));
    for (let now = 1_000; now <= 61_000; now += 250) phone.tryUntil(now);
    expect(failed).toEqual(
      Array.from({ length: 4 }, () => ({ method: 'REGISTER', status: '403', peer: '10.21.1.77' })),
    );
  });
});
