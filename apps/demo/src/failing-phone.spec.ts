import { people } from './calls/people.js';
import { FailingPhone } from './failing-phone.js';

function failuresUntil(end: number): readonly { readonly peer: string }[] {
  const failed: { readonly peer: string }[] = [];
  const phone = new FailingPhone((failure) => failed.push(failure));
  for (let now = 1_000; now <= end; now += 250) phone.tryUntil(now);
  return failed;
}

describe('the phone that cannot register', () => {
  it('fails at once, and again each twenty seconds', () => {
    const failure = { method: 'REGISTER', status: '403', peer: expect.any(String) };
    expect(failuresUntil(61_000)).toEqual(Array.from({ length: 4 }, () => failure));
  });

  it('is the desk phone of somebody who makes calls, so that its device is known', () => {
    const [failure] = failuresUntil(1_000);
    const owner = people.find(({ ip }) => ip === failure?.peer);
    expect(owner).toMatchObject({ site: 'Bergen', device: { userAgent: 'DeskPhone/4.2.1' } });
  });
});
