import { viewAt, viewsFor } from './views.js';

describe('the views', () => {
  it('are what the roles allow', () => {
    expect(viewsFor([]).map(({ label }) => label)).toEqual(['People']);
    expect(viewsFor(['operator'])).toHaveLength(6);
  });

  it.each([
    ['/', '/live'],
    ['/calls', '/calls'],
    ['/calls/a%40b', '/calls/:callId'],
    ['/people', '/people'],
    ['/calls/a/b', undefined],
    ['/livestock', undefined],
  ])('has at %s the one of %s', (path, found) => {
    expect(viewAt(path, ['operator'])?.path).toBe(found);
  });

  it('has the first one that is offered where no path is given', () => {
    expect(viewAt('/', [])?.path).toBe('/people');
    expect(viewAt('/live', [])).toBeUndefined();
  });
});
