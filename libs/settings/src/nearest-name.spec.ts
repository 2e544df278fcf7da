import { nearestName } from './nearest-name.js';

const KNOWN = ['verdict', 'user', 'userAgent', 'minLoss', 'maxLoss', 'from', 'to'];

describe('the name that was meant', () => {
  it.each([
    ['verdit', 'verdict'],
    ['vredict', 'verdict'],
    ['usr', 'user'],
    ['UserAgent', 'userAgent'],
    ['useragnt', 'userAgent'],
    // Both bounds are near: the one with fewer mistakes.
    ['maxLos', 'maxLoss'],
  ])('of %s is %s', (name, meant) => {
    expect(nearestName(name, KNOWN)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'constructor', 'loss'])('of %j is none', (name) => {
    expect(nearestName(name, KNOWN)).toBeUndefined();
  });
});
