import { contentEtag, matchesEtag } from './etag.js';

describe('an entity tag', () => {
  it('is a number that changes with the content', () => {
    expect(contentEtag(['en', null])).toMatch(/^\d{1,10}$/);
    expect(contentEtag(['en', null])).toBe(contentEtag(['en', null]));
    expect(contentEtag(['de', null])).not.toBe(contentEtag(['en', null]));
  });

  it.each(['"7"', '7', 'W/"7"', '"1", "7"', '1,7', '*'])('matches the header %s', (header) => {
    expect(matchesEtag(header, '7')).toBe(true);
  });

  it.each([undefined, '', '"77"', '"1"', '7 7'])('does not match the header %s', (header) => {
    expect(matchesEtag(header, '7')).toBe(false);
  });
});
