import type { Person } from '@ringdown/directory';
import { PeopleIndex } from './people-index.js';

function person(name: string, user: string, mail = `${user}@mail.test`): Person {
  return {
    username: `${user}@example.test`,
    name,
    sipAddress: `sip:${user}@example.test`,
    mail,
    phones: {},
    roles: ['user'],
    contacts: [],
  };
}

const index = new PeopleIndex([
  person('Zoë Ångström-Müller', 'zoe'),
  person('Emma Stone', 'emma.stone'),
  person('Stone Emmerich', 'stone'),
  person('Bob Em', 'bob'),
  person('Ann Lee', 'emilia', 'ann@mail.test'),
  person('山田 太郎', 'yamada'),
  person('Łukasz Großmann', 'lukasz'),
]);

function names(query: string, limit = 100): string[] {
  return index.search(query, limit).people.map(({ name }) => name);
}

describe('a people search', () => {
  it('shows the best first: whole words, then names, then addresses', () => {
    expect(names('em')).toEqual(['Bob Em', 'Emma Stone', 'Stone Emmerich', 'Ann Lee']);
  });

  it('finds by any word, and by several in any order', () => {
    expect(names('stone')).toEqual(['Emma Stone', 'Stone Emmerich']);
    expect(names('stone emma')).toEqual(['Emma Stone']);
    expect(names('emma lee')).toEqual([]);
  });

  it.each([
    ['zoe angstrom', 'Zoë Ångström-Müller'],
    ['MÜLLER', 'Zoë Ångström-Müller'],
    ['muller', 'Zoë Ångström-Müller'],
    ['mu\u0308l', 'Zoë Ångström-Müller'],
    ['lukasz grossm', 'Łukasz Großmann'],
    ['GROSSMANN', 'Łukasz Großmann'],
    ['山田', '山田 太郎'],
    ['ｙａｍａｄａ', '山田 太郎'],
    ['emma.stone@ex', 'Emma Stone'],
    ['sip:emma.stone@example.test', 'Emma Stone'],
    ['ann@mail.test', 'Ann Lee'],
  ])('for %s finds %s', (query, name) => {
    expect(names(query)).toEqual([name]);
  });

  it.each(['', '  ', '*()\\', '"<>&', 'sip:', 'constructor', '__proto__', '\ud800'])('for %j finds nobody', (query) => {
    expect(index.search(query, 10)).toEqual({ people: [], moreResultsAvailable: false });
  });

  it('says that there is more exactly when there is', () => {
    expect(index.search('em', 3)).toMatchObject({ people: { length: 3 }, moreResultsAvailable: true });
    expect(index.search('em', 4)).toMatchObject({ people: { length: 4 }, moreResultsAvailable: false });
  });

  it('finds nobody among nobody', () => {
    expect(new PeopleIndex([]).search('a', 1)).toEqual({ people: [], moreResultsAvailable: false });
  });
});
