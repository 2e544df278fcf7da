import { viewAt, viewsFor } from './views.js';

describe('the views', () => {
  it('are limited to those that the roles allow', () => {
    expect(viewsFor([]).map(({ label }) => label)).toEqual(['People', undefined]);
    expect(viewsFor(['operator'])).toHaveLength(13);
    expect(viewsFor(['admin']).map(({ label }) => label)).toEqual(['People', 'Accounts', undefined, undefined]);
  });

  it.each([
    ['/', undefined],
    ['/calls', '/calls'],
    ['/calls/a%40b', '/calls/:callId'],
    ['/alerts', '/alerts'],
    ['/alerts/rules/new', '/alerts/rules/:id'],
    ['/people', '/people'],
    ['/accounts', '/accounts'],
    ['/accounts/a%40b', '/accounts/:username'],
    ['/calls/a/b', undefined],
    ['/livestock', undefined],
  ])('have at %s the view %s', (path, found) => {
    expect(viewAt(path)?.path).toBe(found);
  });
});
