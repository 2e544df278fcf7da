import { UnexpectedAnswer } from './errors.js';
import { JsonReader } from './json-reader.js';

const group = new JsonReader(
  {
    name: 'Team',
    more: true,
    size: 3,
    seen: '/Date(1700000000000)/',
    '1b4e28ba-2fa1-11d2-883f-0016d3cca427': 'please pass this',
    nothing: null,
    _links: { self: { href: '/g/1' }, contact: [{ href: '/c/1', title: 'Ann' }, { href: '/c/2' }] },
    _embedded: { contact: [{ name: 'Ann' }, { name: 'Bea' }], owner: { name: 'Ann' } },
  },
  'group',
);

describe('JsonReader', () => {
  it('returns values of the requested type', () => {
    expect([group.text('name'), group.flag('more'), group.positive('size'), group.time('seen')]).toEqual([
      'Team',
      true,
      3,
      1_700_000_000_000,
    ]);
    expect(group.oneOf('name', ['Crew', 'Team'])).toBe('Team');
    expect(group.link('self')).toBe('/g/1');
    expect(group.links('contact')).toEqual([{ href: '/c/1', title: 'Ann' }, { href: '/c/2' }]);
    expect(group.embedded('owner').text('name')).toBe('Ann');
    expect(group.embeddedList('contact').map((contact) => contact.text('name'))).toEqual(['Ann', 'Bea']);
    expect(group.namesOf('please pass this')).toEqual(['1b4e28ba-2fa1-11d2-883f-0016d3cca427']);
  });

  it('treats null as missing', () => {
    expect([group.optionalText('title'), group.optionalText('nothing'), group.optionalTime('title')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([group.has('nothing'), group.has('name')]).toEqual([false, true]);
    expect([group.optionalLink('next'), group.links('next'), group.texts('title')]).toEqual([undefined, [], []]);
    expect(new JsonReader({}, 'search').embeddedList('contact')).toEqual([]);
  });

  it.each([
    ['group.title is not a text', () => group.text('title')],
    ['group.more is not a text', () => group.optionalText('more')],
    ['group.name is not true or false', () => group.flag('name')],
    ['group.name is not a number above zero', () => group.positive('name')],
    ['group.name is not a time', () => group.time('name')],
    ['group.name is not one of Crew', () => group.oneOf('name', ['Crew'])],
    ['group.name is not a list', () => group.texts('name')],
    ['group._links.next is not a link', () => group.link('next')],
    ['group._embedded.contact[1].uri is not a text', () => group.embeddedList('contact')[1]?.text('uri')],
    ['token is no resource', () => new JsonReader('<html>', 'token').text('access_token')],
    ['token is no resource', () => new JsonReader(null, 'token').has('access_token')],
  ])('throws that %s', (message, read) => {
    expect(read).toThrow(new UnexpectedAnswer(message));
  });
});
