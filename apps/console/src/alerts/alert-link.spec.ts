import { callsPath } from './alert-link.js';

describe('the link of an alert', () => {
  it.each([
    ['https://uc.example.test/console/calls?site=Bonn&from=a', '/calls?site=Bonn&from=a'],
    ['/console/feeds', '/feeds'],
  ])('is for %s the path %s', (link, path) => {
    expect(callsPath(link)).toBe(path);
  });
});
