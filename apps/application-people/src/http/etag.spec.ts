import { etagOf, matchesEtag } from './etag.js';

describe('an entity tag', () => {
  it('is a number that changes with the content', () => {
    expect(etagOf(['en', null])).toMatch(/^\d{1,10}$/);
    expect(etagOf(['en', null])).toBe(etagOf(['en', null]));
    expect(etagOf(['de', null])).not.toBe(etagOf(['en', null]));
  });

  it.each(['"7"', '7', 'W/"7"', '"1", "7"', '1,7', '*'])('matches the header %s', (header) => {
    expect(matchesEtag(header, '7')).toBe(true);
  });

  it.each([undefined, '', '"77"', '"1"', '7 7'])('does not match the header %s', (header) => {
    expect(matchesEtag(header, '7')).toBe(false);
  });
});
