import type { Person } from '@ringdown/directory';
import { UpdatableIndex } from './updatable-index.js';
import type { PeopleQuery } from './people-index.js';
import { atOnce } from './sliced.js';

function person(name: string, user: string, more: Partial<Person> = {}): Person {
  return {
    username: `${user}@example.test`,
    name,
    sipAddress: `sip:${user}@example.test`,
    mail: `${user}@mail.test`,
    phones: {},
    roles: ['user'],
    contacts: [],
    ...more,
  };
}

function indexOf(people: readonly Person[]): UpdatableIndex {
  return atOnce(UpdatableIndex.of(people));
}

const index = indexOf([
  person('Zoë Ångström-Müller', 'zoe', { title: 'Head of Sales', department: 'Vertrieb Süd' }),
  person('Emma Stone', 'emma.stone', { phones: { work: '+12025550101', mobile: '+447700900123' } }),
  person('Stone Emmerich', 'stone', { phones: { work: '+4930123456;ext=4711' } }),
  person('Bob Em', 'bob', { title: 'Emergency Officer', phones: { work: '030987654', home: '0101' } }),
  person('Ann Lee', 'emilia', { mail: 'Ann@Mail.test', sipAddress: 'sip:a.lee@uc.example.test' }),
  person('Annabel Lee', 'lee2', { mail: 'shared@mail.test' }),
  person('山田太郎', 'yamada', { mail: 'shared@mail.test' }),
  person('Łukasz Großmann', 'lukasz', { department: 'Emails' }),
  person("Pat O'Brien", "o'brien"),
]);

function names(query: string | PeopleQuery, limit = 100): string[] {
  return index.search(typeof query === 'string' ? { query } : query, limit).people.map(({ name }) => name);
}

describe('a people search', () => {
  it('returns the best matches first: whole words, then names, then addresses, then work', () => {
    expect(names('em')).toEqual(['Bob Em', 'Emma Stone', 'Stone Emmerich', 'Ann Lee', 'Łukasz Großmann']);
  });

  it('finds by any word, and by several in any order', () => {
    expect(names('stone')).toEqual(['Emma Stone', 'Stone Emmerich']);
    expect(names('stone emma')).toEqual(['Emma Stone']);
    expect(names('emma lee')).toEqual([]);
    expect(names('ann lee')).toEqual(['Ann Lee', 'Annabel Lee']);
    expect(names('ann@mail.test')).toEqual(['Ann Lee', 'Annabel Lee']);
  });

  it.each([
    ['zoe angstrom', 'Zoë Ångström-Müller'],
    ['MÜLLER', 'Zoë Ångström-Müller'],
    ['mueller', 'Zoë Ångström-Müller'],
    ['mu\u0308l', 'Zoë Ångström-Müller'],
    ['sales zoe', 'Zoë Ångström-Müller'],
    ['vertrieb sud', 'Zoë Ångström-Müller'],
    ['lukasz grossm', 'Łukasz Großmann'],
    ['GROSSMANN', 'Łukasz Großmann'],
    ['emails', 'Łukasz Großmann'],
    ['山田', '山田太郎'],
    ['太郎', '山田太郎'],
    ['ｙａｍａｄａ', '山田太郎'],
    ['obrien', "Pat O'Brien"],
    ["o'br", "Pat O'Brien"],
    ['O’Brien', "Pat O'Brien"],
    ['emma.stone@ex', 'Emma Stone'],
    ['sip:emma.stone@example.test', 'Emma Stone'],
    ['a.lee@uc', 'Ann Lee'],
  ])('for %s finds %s', (query, name) => {
    expect(names(query)).toEqual([name]);
  });

  it.each([
    ['+1 (202) 555-0101', ['Emma Stone']],
    ['tel:+12025550101', ['Emma Stone']],
    ['001 202 555 0101', ['Emma Stone']],
    ['202.555', ['Emma Stone']],
    ['2025550', ['Emma Stone']],
    ['+44 (0)7700 900 123', ['Emma Stone']],
    ['07700 900123', ['Emma Stone']],
    ['٢٠٢٥٥٥', ['Emma Stone']],
    ['030 1234', ['Stone Emmerich']],
    ['4711', ['Stone Emmerich']],
    ['0101', ['Bob Em', 'Emma Stone']],
    ['emma 0101', ['Emma Stone']],
    ['0101 stone', ['Emma Stone']],
    ['030', ['Bob Em']],
    ['01', []],
    ['2025550102', []],
    ['+1 202 555 0101 77', []],
  ])('for the digits %s finds %j', (query, found) => {
    expect(names(query)).toEqual(found);
  });

  it.each<[PeopleQuery, string[]]>([
    [{ mail: 'ann@mail.test' }, ['Ann Lee']],
    [{ mail: 'SIP:A.Lee@uc.example.test' }, ['Ann Lee']],
    [{ mail: ' mailto:ANN@mail.test ' }, ['Ann Lee']],
    [{ mail: 'emilia@example.test' }, ['Ann Lee']],
    [{ mail: 'shared@mail.test' }, ['Annabel Lee', '山田太郎']],
    [{ mail: 'shared@mail.test', query: 'lee' }, ['Annabel Lee']],
    [{ mail: "o'brien@mail.test" }, ["Pat O'Brien"]],
    [{ mail: 'ann@mail' }, []],
    [{ mail: 'mail.test' }, []],
    [{ mail: '*' }, []],
    [{ mail: 'ann@mail.test', query: 'zoe' }, []],
  ])('for %j finds the owner of the address: %j', (query, found) => {
    expect(names(query)).toEqual(found);
  });

  it.each(['', '  ', '*()\\', '\u0000', '"<>&', 'sip:', 'constructor', '__proto__', '\ud800', '(0)', '\uffff'])(
    'for %j finds no one',
    (query) => {
      expect(index.search({ query }, 10)).toEqual({ people: [], moreResultsAvailable: false });
    },
  );

  it('reports more results exactly when there are more', () => {
    expect(index.search({ query: 'em' }, 4)).toMatchObject({ people: { length: 4 }, moreResultsAvailable: true });
    expect(index.search({ query: 'em' }, 5)).toMatchObject({ people: { length: 5 }, moreResultsAvailable: false });
    expect(index.search({ query: 'em' }, 6)).toMatchObject({ people: { length: 5 }, moreResultsAvailable: false });
  });

  it('reads only the first dozen words of an endless query', () => {
    const words = 'example test '.repeat(60) + 'nobody';
    expect(names(words)).toHaveLength(9);
  });

  it('finds no one in an empty directory', () => {
    expect(indexOf([]).search({ query: 'a' }, 1)).toEqual({ people: [], moreResultsAvailable: false });
  });
});

describe('a large index', () => {
  const SYLLABLES = ['an', 'ber', 'co', 'dé', 'el', 'fö', '山', 'ο', '07'];
  const random = dice(42);
  const word = (): string => Array.from({ length: 1 + random(3) }, () => SYLLABLES[random(SYLLABLES.length)]).join('');
  const people = Array.from({ length: 3_000 }, (_, number) =>
    person(`${word()} ${word()}`, `u${number}`, {
      title: word(),
      phones: random(2) === 0 ? {} : { work: `+1${String(random(100_000)).padStart(6, '7')}` },
    }),
  );
  const large = indexOf(people);

  /** The expected result of a search, computed in the slow, obvious way. */
  function slowly(query: string): Set<string> {
    const found = people.filter((one) =>
      query.split(' ').every((wanted) => {
        const texts = [...one.name.split(' '), one.title ?? ''].map((text) =>
          text
            .normalize('NFKD')
            .replaceAll(/[\u0300-\u036f]/g, '')
            .toLowerCase(),
        );
        const number = wanted.length >= 3 && /^\d+$/.test(wanted) && one.phones.work?.includes(wanted);
        return texts.some((text) => text.startsWith(wanted)) || number === true || one.username.startsWith(wanted);
      }),
    );
    return new Set(found.map(({ username }) => username));
  }

  it.each([
    'an',
    'anber',
    'ber co',
    'el an',
    'de',
    'fo',
    '07',
    '077',
    '777',
    'u12',
    'u1 an',
    '123',
    'coco ele',
    '9999',
  ])('finds for %s exactly the people who match, in steps of any size', (query) => {
    const expected = slowly(query);
    const all = large.search({ query }, 3_000);
    expect(new Set(all.people.map(({ username }) => username))).toEqual(expected);
    expect(all.moreResultsAvailable).toBe(false);
    for (const limit of [1, 25, 100]) {
      const some = large.search({ query }, limit);
      expect(some.people).toEqual(all.people.slice(0, limit));
      expect(some.moreResultsAvailable).toBe(expected.size > limit);
    }
  });
});

/** Pseudo-random numbers below a limit, always the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
